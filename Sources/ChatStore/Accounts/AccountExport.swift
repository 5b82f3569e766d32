import ChatModel
import Formats
import Foundation

/// Writes everything that is kept of some accounts as lines of JSON, piece by piece, so that it is never in memory as a
/// whole.
///
/// Each line is an object whose `kind` says what it is. A message is followed by its files, and a file by its parts. What
/// changes meanwhile may be told as it was or as it is. The last line is of the kind `end`: without it the export is not
/// whole.
public struct AccountExport: Sendable {
    private enum Step: Sendable {
        case account(AccountRecord)
        case sessions(AccountRecord, cursor: String?)
        case devices(AccountRecord)
        case threads(AccountRecord, after: String)
        case messages(AccountRecord, thread: String, isInThread: Bool, after: MessagePosition)
        case notes(AccountRecord, thread: String, cursor: String?)
        case customerNotes(AccountRecord, cursor: String?)
        case uploads(AccountRecord, after: String)
        case file(Attachment)
        case part(Attachment, Int64)
        case end
    }

    private let store: ChatStore
    private let hasNotes: Bool
    /// What is still to be written; the last one comes next.
    private var steps: [Step]
    private var counts = (threads: 0, messages: 0, files: 0)

    /// Messages that one piece has at most, and the bytes after which it ends.
    private static let messageLimit: Int64 = 20
    private static let byteLimit = 256 << 10

    /// - Parameter hasNotes: whether the notes of agents about the customer, and about the customer's own threads, belong to
    ///   it.
    public init(_ store: ChatStore, of accounts: [AccountRecord], hasNotes: Bool) {
        (self.store, self.hasNotes) = (store, hasNotes)
        steps = [.end] + accounts.reversed().map { .account($0) }
    }

    /// The next lines; nil after the last one. Throws what reading throws.
    public mutating func next() async throws(ChatError) -> [UInt8]? {
        while let step = steps.popLast() {
            let lines = try await write(step)
            if !lines.isEmpty { return lines }
        }
        return nil
    }

    private mutating func write(_ step: Step) async throws(ChatError) -> [UInt8] {
        switch step {
        case .account(let account):
            steps += [
                .uploads(account, after: ""), .threads(account, after: ""), .devices(account),
                .sessions(account, cursor: nil),
            ]
            if hasNotes { steps.append(.customerNotes(account, cursor: nil)) }
            return Self.line("account") { json in
                json.member("service", account.key.service)
                json.member("channel", account.key.channel)
                json.member("customer", account.customer)
                json.name("customFields")
                json.value(account.customFields)
                json.member("createdAt", account.createdAt)
                if let consent = account.consent { json.member("consent", consent) }
            }
        case .sessions(let account, let cursor): return try await sessions(account, cursor)
        case .devices(let account):
            return try await store.read { try $0.targets(of: account.number) }.flatMap { device in
                Self.line("device") { json in
                    json.member("id", device.id)
                    json.member("type", device.kind.rawValue)
                    json.member("sessionId", device.session)
                    json.member("createdAt", device.createdAt)
                }
            }
        case .threads(let account, let id): return try await thread(account, after: id)
        case .messages(let account, let thread, let isInThread, let place):
            return try await messages(account, thread, isInThread, place)
        case .notes(let account, let thread, let cursor): return try await notes(account, thread, cursor)
        case .customerNotes(let account, let cursor):
            let page = try await store.read { try $0.notePage(about: account, PageRequest(limit: 50, cursor: cursor)) }
            if let next = page.next { steps.append(.customerNotes(account, cursor: next)) }
            return Self.lines("customerNote", page, of: account)
        case .uploads(let account, let id):
            let uploads = try await store.read { try $0.unsentUploads(of: account.number, after: id) }
            if let last = uploads.last { steps.append(.uploads(account, after: last.id)) }
            steps += uploads.reversed().map { .file($0) }
            return []
        case .file(let attachment): return try await file(attachment)
        case .part(let attachment, let number): return try await part(number, of: attachment)
        case .end:
            let counts = counts
            return Self.line("end") { json in
                json.member("threads", counts.threads)
                json.member("messages", counts.messages)
                json.member("files", counts.files)
            }
        }
    }

    private mutating func sessions(_ account: AccountRecord, _ cursor: String?) async throws(ChatError) -> [UInt8] {
        let (page, collections) = try await store.read { transaction in
            let page = try transaction.sessionPage(
                SessionFilter(account: account.number), PageRequest(limit: 100, cursor: cursor))
            return (page, try page.items.flatMap { try transaction.collections(of: $0.session.id) })
        }
        if let next = page.next { steps.append(.sessions(account, cursor: next)) }
        return page.items.flatMap { item in
            Self.line("session") { json in
                json.member("id", item.session.id)
                json.member("createdAt", item.session.createdAt)
                json.member("lastUsedAt", item.session.lastUsedAt)
                if item.session.kind != .plain { json.member("begunBy", item.session.kind.rawValue) }
                if let end = item.session.verifiedUntil { json.member("verifiedUntil", end) }
                if let visit = item.session.visit {
                    json.name("visit")
                    json.raw(visit)
                }
            }
        }
            + collections.flatMap { collection in
                Self.line("collection") { json in
                    json.member("sessionId", collection.session)
                    json.member("id", collection.id)
                    json.member("createdAt", collection.createdAt)
                    json.name("definition")
                    json.raw(collection.definition)
                }
            }
    }

    /// The next thread by its id, without its messages.
    private mutating func thread(_ account: AccountRecord, after id: String) async throws(ChatError) -> [UInt8] {
        let record = try await store.read { try $0.thread(after: id, of: account.number) }
        guard let record else { return [] }
        let thread = record.thread.id
        steps.append(.threads(account, after: thread))
        if hasNotes, record.owner.number == account.number {
            steps.append(.notes(account, thread: thread, cursor: nil))
        }
        steps += [
            .messages(account, thread: thread, isInThread: false, after: .start),
            .messages(account, thread: thread, isInThread: true, after: .start),
        ]
        counts.threads += 1
        return Self.line("thread") { json in
            json.member("channel", account.key.channel)
            json.name("thread")
            json.raw(record.json(for: account.number))
        }
    }

    private mutating func messages(
        _ account: AccountRecord, _ thread: String, _ isInThread: Bool, _ place: MessagePosition
    ) async throws(ChatError) -> [UInt8] {
        let messages = try await store.read { transaction -> [MessageRecord] in
            // The thread may be gone by now.
            guard let record = try transaction.thread(thread, of: account.number) else { return [] }
            return try transaction.messages(
                in: record, isInThread: isInThread, after: place, limit: Self.messageLimit, bytes: Self.byteLimit)
        }
        // As far as the first one that has files: they follow it.
        let end = messages.firstIndex { !$0.message.attachments.isEmpty }.map { $0 + 1 } ?? messages.count
        let shown = messages[..<end]
        guard let last = shown.last else { return [] }
        steps.append(.messages(account, thread: thread, isInThread: isInThread, after: last.position))
        steps += last.message.attachments.reversed().map { .file($0) }
        counts.messages += shown.count
        return shown.flatMap { message in
            Self.line("message") { json in
                json.member("channel", account.key.channel)
                json.name("message")
                json.raw(message.json)
            }
        }
    }

    private mutating func notes(
        _ account: AccountRecord, _ thread: String, _ cursor: String?
    ) async throws(ChatError) -> [UInt8] {
        let page = try await store.read { transaction -> PageBytes? in
            guard let record = try transaction.thread(thread, of: account.number) else { return nil }
            return try transaction.notePage(of: record, PageRequest(limit: 50, cursor: cursor))
        }
        guard let page else { return [] }
        if let next = page.next { steps.append(.notes(account, thread: thread, cursor: next)) }
        return Self.lines("note", page, of: account)
    }

    /// A line for each note of a page.
    private static func lines(_ kind: String, _ page: PageBytes, of account: AccountRecord) -> [UInt8] {
        let items = (try? JSONText(page.body + [UInt8(ascii: "}")]))?.root["items"]?.elements ?? []
        return items.flatMap { item in
            line(kind) { json in
                json.member("channel", account.key.channel)
                json.name("note")
                json.raw(Array(item.bytes))
            }
        }
    }

    // MARK: Files

    private mutating func file(_ attachment: Attachment) async throws(ChatError) -> [UInt8] {
        var isHere = true
        do throws(ChatError) {
            // Where the database keeps the files, this brings a copy into the folder.
            close(try await store.openFile(of: attachment))
        } catch {
            guard error.code == .unknownAttachment || error.code == .storageFailed else { throw error }
            isHere = false
        }
        if isHere { steps.append(.part(attachment, 0)) }
        counts.files += 1
        return Self.line("file") { json in
            json.member("attachment", attachment)
            // The bytes may be at the platform only, or lost.
            json.member("isHere", isHere)
        }
    }

    private mutating func part(_ number: Int64, of attachment: Attachment) async throws(ChatError) -> [UInt8] {
        guard let bytes = try await store.files.part(number, of: attachment.id) else { return [] }
        steps.append(.part(attachment, number + 1))
        return Self.line("filePart") { json in
            json.member("id", attachment.id)
            json.member("number", Int(number))
            json.member("base64", Data(bytes).base64EncodedString())
        }
    }

    private static func line(_ kind: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("kind", kind)
        members(&json)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension ReadTransaction {
    /// The account's next thread by its id, as the account sees it.
    fileprivate func thread(after id: String, of account: Int64) throws -> ThreadRecord? {
        let next = try db.first(
            "SELECT id FROM member WHERE account = ? AND id > ? ORDER BY id LIMIT 1", [.integer(account), .text(id)]
        ) { $0.text(0) }
        return try next.flatMap { try thread($0, of: account) }
    }

    /// The next messages that the reader of the thread may see, oldest first.
    fileprivate func messages(
        in thread: ThreadRecord, isInThread: Bool, after place: MessagePosition, limit: Int64, bytes: Int
    ) throws -> [MessageRecord] {
        let start = max(place, MessagePosition(createdAt: thread.historyBoundary, number: .max))
        var (found, byteCount) = ([MessageRecord](), 0)
        try db.query(
            """
            SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ? AND isInThread = \(isInThread ? 1 : 0) AND (createdAt, number) > (?, ?)
            ORDER BY createdAt, number LIMIT ?
            """,
            [.integer(thread.number), .integer(start.createdAt), .integer(start.number), .integer(limit)]
        ) { row in
            found.append(try messageRecord(row, in: thread))
            byteCount += row.withBlob(5) { $0.count }
            return byteCount < bytes
        }
        return found
    }

    fileprivate func targets(of account: Int64) throws -> [TargetRecord] {
        try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE account = ? LIMIT 10000", [.integer(account)],
            TargetRecord.init)
    }

    fileprivate func unsentUploads(of account: Int64, after id: String) throws -> [Attachment] {
        try db.all(
            """
            SELECT \(AttachmentRecord.columns) FROM attachment WHERE uploader = ? AND message IS NULL AND id > ?
            ORDER BY id LIMIT 50
            """, [.integer(account), .text(id)]
        ) { try AttachmentRecord(row: $0).attachment }
    }
}
