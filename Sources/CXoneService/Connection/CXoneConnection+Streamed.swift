import Chat
import ChatModel
import ChatStore
import CXoneWire

/// Messages whose text is generated while it is read. The message itself has only the address of the text.
extension CXoneConnection {
    /// Reads the text in the background, to its end, and then shows it in place of the fallback. A text that cannot be
    /// read leaves the fallback, and a line in the log.
    func readText(of message: String, in thread: String, at url: String) {
        let isFree = state.withLock { state in
            // Each of them may hold a connection for a minute.
            guard state.streams.count < 16 else { return false }
            return state.streams.insert(message).inserted
        }
        guard isFree else { return }
        Task { [self] in
            do throws(ChatError) {
                let text = try await service.http.streamedText(at: url, of: address)
                if !text.isEmpty { try await show(text, of: message, in: thread) }
            } catch {
                service.notice("The text of a message of the platform could not be read: \(error.code.rawValue)")
            }
            state.withLock { _ = $0.streams.remove(message) }
        }
    }

    /// The copy with the text is the newer one: history may bring the one without it again.
    private func show(_ text: String, of message: String, in thread: String) async throws(ChatError) {
        let _: Void? = try await change(thread, isRepeatable: true) { transaction, record in
            guard var shown = try transaction.message(message, in: record)?.message, shown.type == .unknown else {
                return
            }
            (shown.type, shown.text) = (.text, text)
            shown.updatedAt = max(transaction.now, shown.updatedAt.advanced(byMilliseconds: 1))
            try transaction.merge([RemoteMessage(shown)], by: .change, into: &record)
        }
    }
}
