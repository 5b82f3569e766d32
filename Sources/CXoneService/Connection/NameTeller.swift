import ChatModel
import CXoneWire

/// Tells the platform the names that the customer gives to threads.
struct NameTeller: Sendable {
    let account: ConnectedAccount
    /// Reads a thread whose name the platform refused.
    let readAnew: @Sendable (String) async -> Void

    /// Sends `UpdateThread`; an empty name means none. Returns when the event is sent, not when it is answered. A
    /// name that was given meanwhile is told after the answer.
    func send(_ telling: OwnNames.Telling) async {
        let (names, number, me) = (account.service.ownNames, account.number, ObjectIdentifier(account))
        let event = ClientEvent.updateThread(ThreadReference(id: telling.thread, name: telling.name ?? ""))
        do throws(ChatError) {
            try await account.link.ask(event) { [self] answer in
                var refusal: ChatError?
                if case .failure(let error) = answer { refusal = error }
                let isLost = refusal?.code == .notConnected || refusal?.code == .eventTimeout
                let next =
                    isLost
                    ? names.lose(telling, account: number, by: me) : names.settle(telling, account: number, by: me)
                if let next { Task { await send(next) } }
                guard let refusal, !isLost else { return }
                account.publish(refusal)
                // The platform kept another name: it is read and shown.
                if next == nil { Task { await readAnew(telling.thread) } }
            }
        } catch {
            // `lose` returns only a name that was given meanwhile, so the recursion ends when no new one is
            // given.
            if let next = names.lose(telling, account: number, by: me) { await send(next) }
        }
    }

    /// Tells again the names whose telling got no answer. Called after the list was read: names that the list
    /// shows to have arrived are settled by then.
    func sendAgain() async {
        for telling in account.service.ownNames.lost(of: account.number, by: ObjectIdentifier(account)) {
            await send(telling)
        }
    }
}
