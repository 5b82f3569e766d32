import Chat
import ChatModel
import ChatStore
import LocalService
import SandboxKit
import SendbirdWire

extension SendbirdSandbox {
    /// Removes faults, scripts, frames, and what programs have made by this API: channels with all that is in them, and
    /// users with their names. What was made by the gateway's own API stays, also where a program has changed it.
    func reset() async throws(ChatError) -> SandboxReset {
        faults.removeAll()
        expiredPages.removeAll()
        try await removeWebhook()
        var done = SandboxReset()
        let embedded = channel
        let numbers = try await store.read { transaction in
            try transaction.threadNumbers(
                on: embedded, of: LocalService.serviceID, withMember: nil, limit: Self.mostThreads)
        }
        for number in numbers where try await resetChannel(number) { done.threads += 1 }
        while try await store.write({ try $0.eraseHistory() }) {}
        var customer = ""
        while let next = try await resetUsers(after: customer, &done) { customer = next }
        faults.frames.restart()
        return done
    }

    /// More than a sandbox has. Their numbers alone are in memory.
    private static let mostThreads = 1 << 20

    /// Removes a channel if a program made it, and returns whether.
    private func resetChannel(_ number: Int64) async throws(ChatError) -> Bool {
        let url = try await store.read { transaction -> String? in
            guard let record = try transaction.threads(numbered: [number]).first, record.isKnownToDesk else {
                return nil
            }
            return try transaction.extras(of: record).isMade ? record.thread.id : nil
        }
        guard let url else { return false }
        try await service.desk.remove(DeskThread(id: url, channel: channel), ifMatch: nil, as: nil)
        return true
    }

    /// Removes users that a program made, among some. Returns after whom to go on; nil at the end.
    private func resetUsers(after last: String, _ done: inout SandboxReset) async throws(ChatError) -> String? {
        let embedded = channel
        let (count, next, targets) = try await store.write { transaction in
            let portion = try transaction.accounts(
                on: embedded, of: LocalService.serviceID, after: last, limit: Self.portion)
            var (count, targets) = (0, [Int64]())
            for var account in portion {
                let row = ExtraRow.account(account.number)
                guard let extras: UserExtras = try transaction.kept(of: row) else { continue }
                if extras.bot != nil, let id = try transaction.setTarget(ofBot: account.key.customer, to: "", self) {
                    targets.append(id)
                }
                try transaction.setExtra(UserExtras.key, of: row, to: nil)
                guard extras.isMade else { continue }
                account.customer = Customer(id: account.key.customer)
                account.customFields = [:]
                try transaction.save(account)
                try transaction.removeNotes(about: account.number)
                count += 1
            }
            return (count, portion.count == Self.portion ? portion.last?.key.customer : nil, targets)
        }
        for target in targets { try await self.targets.refresh(target) }
        done.customers += count
        return next
    }
}
