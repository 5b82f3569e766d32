import Chat
import ChatModel
import ChatStore
import SendbirdWire

/// What the application's list tells, and the refreshes that follow from it.
extension ApplicationRuntime {
    /// The most pages of the application's list that one poll reads where nothing on them was known before.
    private static let pages = 5
    /// The most that it reads where each of them has news.
    private static let pagesOfNews = 250
    /// How often it is tried to read a page that fails, and what is behind it.
    private static let tries = 3

    /// Reads the application's list until a page holds nothing new. Each changed thread is refreshed for its members, in
    /// tasks of their own: this returns before they end.
    func lookAtApplication() async -> Bool {
        var (token, foundNews): (String?, Bool) = (nil, false)
        for count in 1...Self.pagesOfNews {
            guard let page = try? await list.page(token, onLoss: loseAll) else {
                // What is on it and behind it is not looked at yet. But it may be one that can never be read.
                state.withLock { state in
                    state.owedTries += 1
                    let isOwed = count > 1 && state.owedTries < Self.tries
                    state.owedPages = isOwed ? max(state.owedPages, count) : 0
                }
                return foundNews
            }
            // Whoever comes later reads the own list later.
            let connections = connections
            let (changed, owed) = state.withLock { state in
                let changed = page.items.compactMap {
                    channel -> (channel: SendbirdChannel, known: ChannelFingerprint?)? in
                    let known = state.fingerprints[channel.url]
                    let fingerprint = channel.fingerprint(for: application.channels)
                    state.fingerprints[channel.url] = fingerprint.completed(by: known)
                    guard known.map({ fingerprint.differs(from: $0) }) ?? true else { return nil }
                    return (channel, known)
                }
                return (changed, state.owedPages)
            }
            var hasNews = false
            for (channel, known) in changed {
                let isNews = await tell(channel, known: known, to: connections)
                // What has failed before is no reason to ask more often.
                guard state.withLock({ $0.owed[channel.url] }) == nil else { continue }
                if isNews { foundNews = true }
                if isNews || known != nil { hasNews = true }
            }
            let goesOn = count < owed || !changed.isEmpty && (count < Self.pages || hasNews)
            guard goesOn, !page.next.isEmpty, page.next != token else { break }
            token = page.next
        }
        state.withLock { ($0.owedPages, $0.owedTries) = (0, 0) }
        return foundNews
    }

    /// Has a channel that has changed refreshed for those whose thread it is. Returns whether it is anybody's.
    ///
    /// - Parameter known: nil: it was not looked at before. Then it is refreshed only where the store is behind: a
    ///   connection begins with reading all threads.
    private func tell(
        _ channel: SendbirdChannel, known: ChannelFingerprint?, to connections: [SendbirdConnection]
    ) async -> Bool {
        let news = AccountNews.Item(url: channel.url, known: known)
        guard let holders = try? await store.read({ try $0.accounts(withThread: channel.url) }) else {
            owe(news)
            return false
        }
        let members = channel.members.map { Set($0.map(\.id)) }
        var isAnybodys = false
        for connection in connections {
            let account = connection.account
            let isHere = holders.contains(account.number)
            // Where the members are left out, the account's own poll finds what is new to it.
            guard isHere || members?.contains(account.user) == true, channel.isThread(of: account) else { continue }
            if known == nil, isHere, (try? await isKnown(channel, to: account)) == true { continue }
            isAnybodys = true
            tell(news, to: account.number)
        }
        return isAnybodys
    }

    /// The next poll finds it changed again.
    private func owe(_ news: AccountNews.Item) {
        state.withLock { state in
            state.fingerprints[news.url] = news.known
            state.owed[news.url] = true
        }
    }

    private func tell(_ news: AccountNews.Item, to account: Int64) {
        switch state.withLock({ $0.news.add(news, of: account) }) {
        case .first: Task { await refreshNews(of: account) }
        case .behind: break
        case .full: owe(news)
        }
    }

    /// Refreshes the threads that the list says something new of, one after the other: an account with many of them, or
    /// with many calls of its own, delays itself.
    private func refreshNews(of account: Int64) async {
        while let (news, connection) = state.withLock({ state -> (AccountNews.Item, SendbirdConnection)? in
            let connection = state.connections.values.first { $0.account.number == account }
            // The account is not connected any more. Its next connection reads its whole list of threads.
            guard let connection else {
                state.news.forget(account)
                return nil
            }
            return state.news.next(of: account).map { ($0, connection) }
        }) {
            do throws(ChatError) {
                _ = try await refresh(news.url, of: connection, ThreadLook(isFocus: false))
                state.withLock { $0.owed[news.url] = nil }
            } catch {
                if error.mayPass { owe(news) }
            }
        }
    }

    /// Whether the store has all that the list tells of an account's thread.
    private func isKnown(_ channel: SendbirdChannel, to account: ConnectedUser) async throws(ChatError) -> Bool {
        let record = try await store.read { try $0.thread(channel.url, of: account.number) }
        return record.map { $0.thread.state != .pending && !channel.isAhead(of: $0.thread, for: account.user) } ?? false
    }
}
