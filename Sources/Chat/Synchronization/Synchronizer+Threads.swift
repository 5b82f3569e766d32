import ChatModel
import ChatStore

/// Reads the list of threads, and what has changed in it.
extension Synchronizer {
    /// Reads the changes of the list, or its first page. Returns whether the whole list was read, now or earlier.
    func synchronizeThreads(_ request: SyncRequest) async throws -> Bool {
        let account = account
        let (changes, next) = try await store.read {
            (try $0.position(.threadChanges, of: account), try $0.position(.threadList, of: account))
        }
        guard var token = changes else { return try await addThreadPage(after: nil, stored: next, request) }
        var hasMore = true
        while hasMore {
            let changes = try await request.platform.threadChanges(since: token)
            if changes.isForgotten {
                isForgotten = true
                return false
            }
            try check(request.round)
            if changes.removed.isEmpty, changes.updated.isEmpty, changes.token == token, !changes.hasMore { break }
            try await commit(request) { transaction in
                for thread in changes.removed { try transaction.removeRemoteThread(thread, of: account) }
                for thread in changes.updated { try transaction.merge(thread, of: account) }
                try transaction.save(changes.token, as: .threadChanges, of: account)
            }
            (token, hasMore) = (changes.token, changes.hasMore)
        }
        return next?.isEmpty == true
    }

    /// Reads a page of the list. Returns whether it was the last one.
    ///
    /// - Parameter stored: the stored token of the page after this one, from an earlier time; nil if there is none.
    @discardableResult
    private func addThreadPage(
        after token: String?, stored: String? = nil, _ request: SyncRequest
    ) async throws -> Bool {
        let page = try await request.platform.threads(after: token)
        try check(request.round)
        let account = account
        // Nothing to write.
        if page.threads.isEmpty, page.changes == nil, stored == page.next ?? "" { return page.next == nil }
        try await commit(request) { transaction in
            for thread in page.threads { try transaction.merge(thread, of: account) }
            try transaction.save(page.next ?? "", as: .threadList, of: account)
            // Only the first page's position is stored. What changes while the other pages are read is among the
            // changes since then.
            if token == nil, let changes = page.changes {
                try transaction.save(changes, as: .threadChanges, of: account)
            }
        }
        return page.next == nil
    }

    func fillThreadList(_ request: SyncRequest) async throws {
        while let token = try await threadListToken(), !token.isEmpty {
            let account = account
            let before = try await store.read { try $0.threadCount(of: account) }
            try await addThreadPage(after: token, request)
            guard try await store.read({ try $0.threadCount(of: account) }) > before else { return }
            try await breathe()
        }
    }

    private func threadListToken() async throws -> String? {
        let account = account
        return try await store.read { try $0.position(.threadList, of: account) }
    }

    /// Reads the next page of the list of threads, because a view has come to the end of the rows (collections 2.2a).
    /// Returns whether more may come; false also without a connection.
    func extendThreads() async -> Bool {
        guard let source else { return false }
        let request = SyncRequest(platform: source.platform, round: round, isBackground: false)
        do {
            let token = try await threadListToken()
            if token?.isEmpty == true { return false }
            try await addThreadPage(after: token, request)
            return try await threadListToken()?.isEmpty == false
        } catch {
            return false
        }
    }
}
