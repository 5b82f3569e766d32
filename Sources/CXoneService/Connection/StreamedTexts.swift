import Chat
import ChatModel
import ChatStore
import CXoneWire
import Synchronization

/// Messages whose text is generated while it is read. The message itself has only the address of the text.
final class StreamedTexts: Sendable {
    private let account: ConnectedAccount
    /// Messages whose text is being read.
    private let streams = Mutex<Set<String>>([])

    init(_ account: ConnectedAccount) { self.account = account }

    /// Reads the text in the background, to its end, and then shows it in place of the fallback. A text that cannot be
    /// read leaves the fallback, and a line in the log.
    func readText(of message: String, in thread: String, at url: String) {
        let isFree = streams.withLock { streams in
            // Each of them may hold a connection for a minute.
            guard streams.count < 16 else { return false }
            return streams.insert(message).inserted
        }
        guard isFree else { return }
        Task { [self] in
            do throws(ChatError) {
                let text = try await account.service.http.streamedText(at: url, of: account.address)
                if !text.isEmpty { try await show(text, of: message, in: thread) }
            } catch {
                account.service.notice(
                    "The text of a message of the platform could not be read: \(error.code.rawValue)")
            }
            streams.withLock { _ = $0.remove(message) }
        }
    }

    /// The copy with the text is the newer one: history may bring the one without it again.
    private func show(_ text: String, of message: String, in thread: String) async throws(ChatError) {
        let _: Void? = try await account.change(thread, isRepeatable: true) { transaction, record in
            guard var shown = try transaction.message(message, in: record)?.message, shown.type == .unknown else {
                return
            }
            (shown.type, shown.text) = (.text, text)
            shown.updatedAt = max(transaction.now, shown.updatedAt.advanced(byMilliseconds: 1))
            try transaction.merge([RemoteMessage(shown)], by: .change, into: &record)
        }
    }
}
