import Chat
import ChatModel
import ChatStore
import Crypto
import Formats
import SendbirdWire
import Synchronization

/// The account of one connection: a user of the application, in one channel of Parley.
struct ConnectedUser: Sendable {
    let store: ChatStore
    var client: AccountClient
    let application: String
    let entry: SendbirdConfiguration.Entry
    /// The account when the connection was opened. Its names may be out of date: see ``current``.
    let record: AccountRecord
    let channel: Channel
    /// All connections of an application have one.
    var allMarks = DeedMarks()
    var sizes = PlatformSizes()
    let life = ConnectionLife()

    /// The same account, for polls: their calls are not counted as the account's.
    var ofPolls: ConnectedUser {
        var user = self
        user.client.isCharged = false
        return user
    }

    var marks: AccountMarks { AccountMarks(marks: allMarks, account: number) }
    var number: Int64 { record.number }
    /// The customer's id is the user's.
    var user: String { record.key.customer }

    /// The URL of the account's only thread; nil on a channel with several.
    var singleThread: String? {
        guard entry.mode == .singlethread else { return nil }
        return Self.url(of: [application, entry.customType, user])
    }

    /// How the URLs begin that the gateway makes of texts.
    static let urlPrefix = "parley_"

    /// A channel's URL that is the same for the same texts.
    static func url(of texts: [String]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for text in texts { json.value(text) }
        json.endArray()
        return urlPrefix + Hexadecimal.encode(Array(SHA256.hash(data: json.bytes)).prefix(16))
    }

    /// The account as it is in the store now. If it cannot be read, the one from when the connection was opened.
    private var current: AccountRecord {
        get async { (try? await store.read { [number] in try $0.account(number) }) ?? record }
    }

    var reader: MessageReader { get async { MessageReader(account: await current, agents: Set(entry.agents)) } }

    /// Makes a call, and reads its answer. Throws the platform's refusal in the API's words.
    func ask<Answer: SendbirdShape>(
        _ call: SendbirdCall, _ urgency: RequestGate.Urgency, about subject: SendbirdSubject,
        as type: Answer.Type = Answer.self
    ) async throws(ChatError) -> Answer {
        do throws(SendbirdFailure) {
            return try await client.ask(call, urgency, as: type)
        } catch {
            throw ChatError(error, about: subject)
        }
    }

    /// Does something for a customer. A call whose answer tells nothing may be repeated, so that a lost answer costs
    /// only an error.
    func tell(_ call: SendbirdCall, about subject: SendbirdSubject) async throws(ChatError) {
        do throws(SendbirdFailure) {
            try await client.tell(call)
        } catch {
            throw ChatError(error, about: subject)
        }
    }

    // MARK: Rows

    /// Throws `unknownThread`.
    func thread(_ id: String) async throws(ChatError) -> ThreadRecord {
        guard let found = try await store.read({ [number] in try $0.thread(id, of: number) }) else {
            throw .unknownThread(id)
        }
        return found
    }

    /// Throws `unknownThread`, and `notJoined` for one to which the account is only invited.
    func joinedThread(_ id: String) async throws(ChatError) -> ThreadRecord {
        let record = try await thread(id)
        try ThreadRules.checkJoined(record.members[0].state, record.thread)
        return record
    }

    /// Runs work in a transaction on one of the account's threads, as its customer. Throws `unknownThread`.
    func unit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await store.write { [number] transaction in
            guard var record = try transaction.thread(thread, of: number) else {
                throw ChatError.unknownThread(thread)
            }
            transaction.actor = Author(try transaction.account(number).customer)
            return try work(transaction, &record)
        }
    }

    /// The thread's JSON as the outcome of a request, stored with the receipt.
    func answer(
        _ thread: String, _ receipt: Receipt?, as kind: Outcome.Kind = .ok
    ) async throws(ChatError) -> Outcome {
        try await store.write { [number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            let outcome = Outcome(kind, id: thread, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Writes what the platform says of channels. Returns the ids of those that are threads of this channel of Parley.
    ///
    /// - Parameter place: of the question (``marks``).
    @discardableResult
    func write(
        _ channels: [SendbirdChannel], askedAt place: Int, isNew: Bool = false
    ) async throws(ChatError) -> [String] {
        let threads = channels.filter { $0.isThread(of: self) }
        guard !threads.isEmpty else { return [] }
        let (number, reader, marks) = (number, await reader, marks)
        try await store.write { transaction in
            for channel in threads {
                // What is here alone is taken over with its messages (``ThreadRefresh``).
                if !isNew, try transaction.thread(channel.url, of: number)?.thread.state == .pending { continue }
                try transaction.merge(channel, for: reader, marks, askedAt: place, isNew: isNew)
            }
        }
        return threads.map(\.url)
    }
}

/// Whether a connection is open. All who work for it know.
final class ConnectionLife: Sendable {
    private let state = Mutex(true)

    var isOpen: Bool { state.withLock { $0 } }

    /// Returns whether it was open.
    func end() -> Bool {
        state.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
    }
}

extension WriteTransaction {
    /// Writes what the platform says of a channel, but for what is not true any more.
    ///
    /// - Parameter place: of the question.
    func merge(
        _ channel: SendbirdChannel, for reader: MessageReader, _ marks: AccountMarks, askedAt place: Int,
        isNew: Bool = false
    ) throws {
        let known = try thread(channel.url, of: marks.account)?.thread
        // In the unit: the customer may act until then.
        let stale = marks.stale(channel.url, since: place)
        // The customer may have left it.
        guard known != nil || isNew || !stale.contains(.standing) else { return }
        guard marks.take(channel.url, askedAt: place) || isNew else { return }
        let remote = channel.thread(for: reader, knowing: known, except: known == nil ? [] : stale)
        var record = try merge(remote, of: marks.account, isNew: isNew)
        try note(receiptsOf: channel, for: reader, in: &record)
    }

    /// Marks the messages that others have read, as far as a channel tells.
    func note(
        receiptsOf channel: SendbirdChannel, for reader: MessageReader, in record: inout ThreadRecord
    ) throws {
        guard let receipts = channel.readReceipts else { return }
        // Nobody's own reading makes their messages seen: those of who has read most are seen by the next one.
        let latest = receipts.filter { $0.key != reader.user }.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
        guard let first = latest.first else { return }
        try markSeen(by: first.value, in: &record) { $0.id != first.key }
        if latest.count > 1, !reader.isAgent(first.key) {
            try markSeen(by: latest[1].value, in: &record) { $0.id == first.key }
        }
    }

    /// The platform says that the account does not have a thread any more. Returns whether that is taken.
    ///
    /// - Parameter place: of the question.
    @discardableResult
    func remove(_ thread: String, _ marks: AccountMarks, askedAt place: Int) throws -> Bool {
        guard !marks.stale(thread, since: place).contains(.standing), marks.take(thread, askedAt: place) else {
            return false
        }
        try removeRemoteThread(thread, of: marks.account)
        return true
    }

    /// Others have read until this time: of the authors' messages to agents, the newest that are not marked yet are.
    private func markSeen(
        by time: UnixMilliseconds, in record: inout ThreadRecord, of isMeant: (Author) -> Bool
    ) throws {
        guard let time = time.time else { return }
        let read = try messages(
            in: record, around: time.advanced(byMilliseconds: 1), previous: 100, next: 0, simultaneous: 0, replies: .all
        )
        for var message in read
        where message.message.direction == .toAgent && message.message.status != .seen
            && isMeant(message.message.author)
        {
            (message.message.status, message.message.seenAt) = (.seen, time)
            try save(&message, in: &record, withDesk: false)
            guard message.number == record.lastMessageNumber else { continue }
            setLastMessage(message, of: &record)
            try save(&record, logging: .threadUpdated, withDesk: false)
        }
    }
}
