import ChatModel

extension ChatStore {
    /// Rows of the log, and of the receipts, that one step looks at. Reading them does not keep the writer busy.
    private static let portion = 1000

    /// Removes the threads that an account owns, also those that it has left, with everything in them. Their members are
    /// told.
    public func eraseThreads(ownedBy account: Int64) async throws(ChatError) {
        var last: Int64? = 0
        while let number = last {
            let found = try await read { try $0.ownedThreads(of: account, after: number, limit: Self.portion) }
            for thread in found.threads { try await write { try $0.removeThread(thread) } }
            last = found.next
        }
        while try await write({ try $0.eraseHistory() }) {}
    }

    /// Erases what is left of an account that has no sessions and threads any more: uploads, devices, unsent messages,
    /// events, receipts, and what is in memory. At the end the account is gone.
    ///
    /// Returns false when something was written for the account meanwhile: then begin again with its threads. Throws
    /// what a write throws; to call it again goes on.
    public func eraseRows(of account: AccountRecord) async throws(ChatError) -> Bool {
        let number = account.number
        while try await write({ try $0.eraseOwnRowsStep(of: number) }) {}
        while try await write({ try $0.collectOrphans(limit: 500) }) {}
        var place: Int64? = 0
        while let last = place {
            let found = try await read { try $0.eventsToErase(of: number, after: last, limit: Self.portion) }
            if !found.events.isEmpty { try await write { try $0.erase(found.events) } }
            place = found.next
        }
        var scope: String? = ""
        while let last = scope {
            let found = try await read { try $0.receiptsToErase(of: account, after: last, limit: Self.portion) }
            if !found.scopes.isEmpty { try await write { try $0.eraseReceipts(found.scopes) } }
            scope = found.next
        }
        guard try await write({ try $0.endErasure(of: account) }) else { return false }
        // Events of the account may be in the ring. Who is behind reads on in the database, which has them no more.
        feed.forgetAll()
        search.forgetRemovedThreads()
        await files.finish()
        return true
    }
}
