import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// How a customer's threads begin.
extension ThreadActions {
    /// Makes a channel of the customer and the configured agents. Our id is the channel's URL: where the platform has
    /// it already, with these members, a lost answer was ours. The client's key stands for an id that it does not give.
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        if let single = account.singleThread { return try await createSingle(draft, single, receipt) }
        try ThreadRules.checkCreate(draft, on: account.channel, hasOpenThread: false)
        try Self.checkName(draft.name)
        let fields = try Self.check(draft.customFields)
        let url: String
        if let id = draft.id {
            url = try Self.url(ofID: id)
            if let known = try await known(url) {
                guard known.thread.name.hasSameBytes(as: draft.name), known.thread.customFields == fields else {
                    throw ChatError(.threadIdConflict, "The account has a thread of this id.", pointer: "/id")
                }
                return try await account.answer(url, receipt)
            }
            // With such a one, somebody could take the URL of another customer's only thread.
            guard !id.hasPrefix(ConnectedUser.urlPrefix) else {
                throw ChatError(
                    .invalidParameter, "Ids that begin with \(ConnectedUser.urlPrefix) are made by the gateway.",
                    pointer: "/id")
            }
            try await makeOnce(url, name: draft.name, fields)
        } else {
            url = try await makeOnce(under: receipt, name: draft.name, fields)
        }
        return try await account.answer(url, receipt, as: .created)
    }

    /// Makes a channel whose URL the client's key says, or chance. Who repeats a request under a key, because its answer
    /// was lost, gets the same one. But a key counts no longer than receipts are kept, and no more for who has left.
    private func makeOnce(
        under receipt: Receipt?, name: String?, _ fields: [String: String]
    ) async throws(ChatError) -> String {
        let now = account.store.environment.now()
        if let url = receipt.map(url), try await known(url).map({ $0.isRecent(at: now) }) ?? true {
            do throws(ChatError) {
                try await makeOnce(url, name: name, fields)
                return url
            } catch {
                guard error.code == .threadIdConflict else { throw error }
            }
        }
        let url = makeURL()
        try await makeOnce(url, name: name, fields)
        return url
    }

    /// The thread as it is here; nil if the account has none of this id.
    private func known(_ url: String) async throws(ChatError) -> ThreadRecord? {
        try await account.store.read { [number = account.number] in try $0.thread(url, of: number) }
    }

    /// The only thread of an account is here alone until its first message.
    private func createSingle(
        _ draft: ThreadDraft, _ url: String, _ receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let fields = try Self.check(draft.customFields)
        return try await account.store.write { [account] transaction in
            let number = account.number
            let hasThread = try transaction.thread(url, of: number) != nil
            try ThreadRules.checkCreate(draft, on: account.channel, hasOpenThread: hasThread)
            transaction.actor = Author(try transaction.account(number).customer)
            var thread = ChatThread(id: url, createdAt: transaction.now, members: [])
            thread.customFields = fields
            let record = try transaction.merge(RemoteThread(thread), of: number, isNew: true)
            let outcome = Outcome(.created, id: url, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Makes the channel of a thread that is here alone.
    func beginThread(_ thread: String) async throws(ChatError) {
        let told = try await account.thread(thread).thread.customFields
        try await makeOnce(thread, name: nil, told)
        let fields = try await account.thread(thread).thread.customFields
        // Set meanwhile.
        if fields != told {
            try await account.tell(.writeMetadata(fields, ofChannel: thread), about: .thread(thread))
        }
    }

    /// A lost answer is no reason to fail: the URL is the same, so that the channel is made once.
    private func makeOnce(_ url: String, name: String?, _ fields: [String: String]) async throws(ChatError) {
        do throws(ChatError) {
            try await make(url, name: name, fields)
        } catch {
            guard [.serverError, .eventTimeout].contains(error.code) else { throw error }
            try await make(url, name: name, fields)
        }
    }

    private func make(_ url: String, name: String?, _ fields: [String: String]) async throws(ChatError) {
        let wasThere = try await !create(url, name: name)
        // The token may write to anybody's channel: first it is asked whose it is.
        if wasThere { try await take(url) }
        if !fields.isEmpty { try await account.tell(.writeMetadata(fields, ofChannel: url), about: .thread(url)) }
        if wasThere {
            // It may have messages, which are not here yet.
            try await look(at: url, isFocus: false)
            guard try await account.thread(url).thread.state != .pending else { throw Self.otherChannel }
        } else {
            guard try await read(url, isNew: true) else { throw Self.otherChannel }
        }
    }

    /// Returns false if the platform has a channel of this URL already.
    private func create(_ url: String, name: String?) async throws(ChatError) -> Bool {
        var channel = CreateChannel(userIDs: [account.user] + account.entry.agents, url: url)
        channel.name = name
        channel.customType = account.entry.customType.isEmpty ? nil : account.entry.customType
        channel.isStrict = true
        do throws(SendbirdFailure) {
            let made = try await account.client.ask(
                .create(channel, by: account.user), .deed, as: SendbirdChannel.self)
            guard made.url == url else {
                throw .open(ChatError(.serverError, "The platform has made another channel than it was asked for."))
            }
            return true
        } catch {
            guard error.code == .existsAlready else { throw ChatError(error, about: .user) }
            return false
        }
    }

    /// Takes a channel that was there already for the customer's, where it is one: of the type, and of the customer and
    /// agents alone.
    private func take(_ url: String) async throws(ChatError) {
        let channel = try await account.ask(
            .channel(url, for: account.user), .page, about: .thread(url), as: SendbirdChannel.self)
        guard channel.url == url, channel.isThread(of: account) else { throw Self.otherChannel }
        let isSingle = url == account.singleThread
        if channel.personal?.state == .joined {
            guard isSingle || channel.isOfAgents(of: account, orNone: true) else { throw Self.otherChannel }
        } else {
            guard isSingle else { throw Self.otherChannel }
            try await enter(channel)
        }
    }

    /// The customer is not in the channel of their only thread: somebody has removed them. Who writes again is in it
    /// again, unless banned. But others who are in it, or may enter it, would read what they write.
    private func enter(_ channel: SendbirdChannel) async throws(ChatError) {
        guard channel.isOfAgents(of: account, orNone: false), !channel.isPublic, !channel.isDiscoverable else {
            throw ChatError(
                .notJoined,
                "The customer is not in the channel of the thread, and not all who are in it, or may enter it, are agents."
            )
        }
        let url = channel.url
        if channel.personal?.state == .invited {
            return try await account.tell(.accept(url, by: account.user), about: .thread(url))
        }
        // Somebody has to see what the customer writes.
        let agents = channel.members?.isEmpty == true ? account.entry.agents : []
        try await account.tell(.invite([account.user] + agents, to: url), about: .thread(url))
    }

    private static let otherChannel = ChatError(
        .threadIdConflict, "The platform has another channel of this URL.", pointer: "/id")

    private func makeURL() -> String { account.store.environment.makeID().replacing("-", with: "_") }

    /// Always the same for a request under a key.
    private func url(of receipt: Receipt) -> String {
        ConnectedUser.url(of: [account.application, account.user, receipt.scope, receipt.fingerprint])
    }

    /// The platform allows letters, digits and underscores only.
    private static func url(ofID id: String) throws(ChatError) -> String {
        let isPlain = id.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard isPlain, SendbirdBound.channelURL.contains(id.utf8.count) else {
            throw ChatError(
                .invalidParameter, "On this platform a thread's id has 4 to 100 letters, digits and underscores.",
                pointer: "/id")
        }
        return id
    }
}

extension ThreadRecord {
    /// Whether a receipt of its making would still be kept.
    fileprivate func isRecent(at now: Timestamp) -> Bool {
        thread.createdAt.advanced(byMilliseconds: Receipt.lifetimeInMilliseconds) >= now
    }
}
