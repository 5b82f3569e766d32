import ChatModel
import Formats

extension StoreCheck {
    /// Threads: the columns that repeat their JSON, their owner, their preview, and the desk's unread count.
    static let threads = [
        StoreCheck(name: "threads") { look in
            try look.each(CheckedThread.columns, of: "thread", CheckedThread.init) { row in
                let name = "thread \(row.number) (\(row.id))"
                guard let thread = look.decoded(name, { try ChatThread(canonicalJSON: look.db.whole(row.json)) }) else {
                    return
                }
                look.compare(name, "id", row.id, thread.id)
                look.compare(name, "isClosed", row.isClosed, thread.state == .closed)
                look.compare(name, "activity", row.activity, thread.lastActivityAt.milliseconds)
                if let team = look.decoded(name, { try ThreadTeam(members: row.team) }) {
                    let place = DeskPlace(of: thread, team, isKnownToDesk: row.isKnownToDesk)
                    look.compare(name, "deskAgent", row.deskAgent, place.agent)
                    look.compare(name, "deskWait", row.deskWait, place.wait)
                    look.compare(name, "snoozedUntil", row.snoozedUntil, place.snoozedUntil)
                }
                look.checkOffset(name, "version", row.version)
                look.checkOffset(name, "messagesVersion", row.messagesVersion)
                let owner = try look.db.first("SELECT channel FROM account WHERE number = ?", [.integer(row.owner)]) {
                    $0.text(0)
                }
                if let owner {
                    look.compare(name, "channel", row.channel, owner)
                } else {
                    look.report("\(name): its owner, account \(row.owner), is missing")
                }
                try look.checkPreview(of: row, thread, name)
                if row.isKnownToDesk { try look.checkDeskUnread(of: row, thread, name) }
            }
            // The contact of a removed thread has the number 0, which no thread has.
            for table in ["contact", "waiting", "inactivity", "note", "fields", "threadTag"] {
                try look.find(
                    "CAST(thread AS text)", in: table,
                    where: "thread <> 0 AND NOT EXISTS (SELECT 1 FROM thread WHERE thread.number = \(table).thread)"
                ) { "thread \($0) is missing, and has a row of \(table)" }
            }
        }
    ]

    /// Members: the columns that repeat their thread's, and their unread counts.
    static let members = [
        StoreCheck(name: "members") { look in
            try look.each(
                "number, id, isClosed, activity, isKnownToDesk, json", of: "thread",
                {
                    (
                        number: $0.integer(0), id: $0.text(1), isClosed: $0.flag(2), activity: $0.integer(3),
                        isKnownToDesk: $0.flag(4), thread: try? ChatThread(canonicalJSON: look.db.whole($0.blob(5)))
                    )
                }
            ) { row in
                let members = try look.db.all(
                    """
                    SELECT account, id, isClosed, activity, unread, readAt, readTo, createdAt, nameKey, customType
                    FROM member WHERE thread = ? ORDER BY account
                    """, [.integer(row.number)], CheckedMember.init)
                for member in members {
                    let name = "account \(member.account) in thread \(row.number) (\(row.id))"
                    look.compare(name, "id", member.id, row.id)
                    look.compare(name, "isClosed", member.isClosed, row.isClosed)
                    look.compare(name, "activity", member.activity, row.activity)
                    if let thread = row.thread, !member.has(ThreadKeys(thread)) {
                        look.report("\(name): the keys of its lists are not those of the thread")
                    }
                    try look.checkUnread(of: member, inThread: row.number, hasDesk: row.isKnownToDesk, name)
                }
            }
            try look.find(
                "CAST(thread AS text)", in: "member",
                where: "NOT EXISTS (SELECT 1 FROM thread WHERE thread.number = member.thread)"
            ) { "thread \($0) is missing, and has a member" }
        }
    ]
}

/// What is looked at of a row of `thread`.
private struct CheckedThread {
    static let columns = """
        number, owner, id, isKnownToDesk, isClosed, activity, version, messagesVersion, lastMessage, deskReadAt, \
        deskReadTo, json, channel, deskAgent, deskWait, snoozedUntil, team
        """

    let number, owner, activity, version, messagesVersion: Int64
    let id, channel: String
    let isKnownToDesk, isClosed: Bool
    let lastMessage: Int64?
    let deskRead: MessagePosition
    let json: [UInt8]
    let deskAgent: String?
    let deskWait, snoozedUntil: Int64?
    let team: [UInt8]

    init(row: SQLRow) {
        deskAgent = row.isNull(13) ? nil : row.text(13)
        deskWait = row.isNull(14) ? nil : row.integer(14)
        snoozedUntil = row.isNull(15) ? nil : row.integer(15)
        team = row.isNull(16) ? [] : row.blob(16)
        (number, owner, id) = (row.integer(0), row.integer(1), row.text(2))
        (isKnownToDesk, isClosed, activity) = (row.flag(3), row.flag(4), row.integer(5))
        (version, messagesVersion) = (row.integer(6), row.integer(7))
        lastMessage = row.isNull(8) ? nil : row.integer(8)
        deskRead = MessagePosition(createdAt: row.integer(9), number: row.integer(10))
        (json, channel) = (row.blob(11), row.text(12))
    }
}

/// What is looked at of a row of `member`.
private struct CheckedMember {
    let account, activity, unread: Int64
    let id: String
    let isClosed: Bool
    let read: MessagePosition
    private let createdAt: Int64
    private let nameKey: [UInt8]
    private let customType: String?

    init(row: SQLRow) {
        (account, id, isClosed, activity) = (row.integer(0), row.text(1), row.flag(2), row.integer(3))
        unread = row.integer(4)
        read = MessagePosition(createdAt: row.integer(5), number: row.integer(6))
        (createdAt, nameKey) = (row.integer(7), row.blob(8))
        customType = row.isNull(9) ? nil : row.text(9)
    }

    func has(_ keys: ThreadKeys) -> Bool {
        createdAt == keys.createdAt && customType.hasSameBytes(as: keys.customType?.text) && nameKey == keys.nameKey
    }
}

extension Inspection {
    /// The preview shows the message that the row names. Where the desk knows the thread, that is the newest message.
    fileprivate func checkPreview(of row: CheckedThread, _ thread: ChatThread, _ name: String) throws {
        if let number = row.lastMessage {
            let shown = try db.first(
                "SELECT id, createdAt FROM message WHERE number = ? AND thread = ?",
                [.integer(number), .integer(row.number)]
            ) { (id: $0.text(0), createdAt: $0.integer(1)) }
            guard let shown else { return report("\(name): lastMessage is \(number), which it does not have") }
            compare(name, "the preview's id", thread.lastMessage?.id ?? "none", shown.id)
            compare(name, "the preview's time", thread.lastMessage?.createdAt.milliseconds ?? -1, shown.createdAt)
        }
        // A remote service may show a message that is not here.
        guard row.isKnownToDesk else { return }
        let newest = try db.first(
            """
            SELECT number FROM message WHERE thread = ? AND isInThread = 1 AND createdAt > ?
            ORDER BY createdAt DESC, number DESC LIMIT 1
            """, [.integer(row.number), .integer(thread.historyResetAt?.milliseconds ?? -1)]
        ) { $0.integer(0) }
        if newest != row.lastMessage {
            report(
                "\(name): lastMessage is \(Self.words(row.lastMessage)), and the newest message is \(Self.words(newest))"
            )
        }
    }

    private static func words(_ number: Int64?) -> String { number.map(String.init) ?? "none" }

    /// What customers wrote in the conversation after the place up to which the agents have read. Messages before the
    /// line of the history may still be there: they are deleted in steps.
    fileprivate func checkDeskUnread(of row: CheckedThread, _ thread: ChatThread, _ name: String) throws {
        let line = MessagePosition(createdAt: thread.historyResetAt?.milliseconds ?? -1, number: .max)
        let start = max(row.deskRead, line)
        let unread = try number(
            """
            SELECT count(*) FROM message WHERE thread = ? AND isInThread = 1 AND (createdAt, number) > (?, ?)
            AND isToAgent = 1
            """, [.integer(row.number), .integer(start.createdAt), .integer(start.number)])
        compare(name, "deskUnreadCount", Int64(thread.deskUnreadCount), unread)
    }

    /// An account has no more unread messages than others wrote after the place up to which it has read. It may have
    /// fewer: a welcome message is unread for nobody, and a remote service counts by itself.
    fileprivate func checkUnread(
        of member: CheckedMember, inThread thread: Int64, hasDesk: Bool, _ name: String
    ) throws {
        if member.unread < 0 { report("\(name): unread is \(member.unread)") }
        guard hasDesk, member.unread > 0 else { return }
        let most = try number(
            """
            SELECT count(*) FROM message WHERE thread = ? AND isInThread = 1 AND (createdAt, number) > (?, ?)
            AND (isToAgent = 0 OR sender <> (SELECT customer FROM account WHERE number = ?))
            """,
            [
                .integer(thread), .integer(member.read.createdAt), .integer(member.read.number),
                .integer(member.account),
            ])
        if member.unread > most { report("\(name): unread is \(member.unread), and \(most) messages can be") }
    }
}

extension StoreCheck {
    /// Messages: the columns that repeat their JSON, their thread, and the rows of their files.
    static let messages = [
        StoreCheck(name: "messages") { look in
            try look.each(CheckedMessage.columns, of: "message", CheckedMessage.init) { row in
                let name = "message \(row.number) (\(row.id))"
                guard let message = look.decoded(name, { try Message(canonicalJSON: row.json) }) else { return }
                look.compare(name, "id", row.id, message.id)
                look.compare(name, "createdAt", row.createdAt, message.createdAt.milliseconds)
                look.compare(name, "isToAgent", row.isToAgent, message.direction == .toAgent)
                look.compare(name, "isSeen", row.isSeen, message.status == .seen)
                look.compare(name, "parent", row.parent ?? "none", message.parentID ?? "none")
                look.compare(name, "isInThread", row.isInThread, message.isInConversation)
                look.compare(name, "type", row.type, message.type.rawValue)
                look.compareText(name, "customType", row.customType, message.customType)
                look.checkOffset(name, "version", row.version)
                for attachment in message.attachments {
                    let isThere = try look.exists("SELECT 1 FROM attachment WHERE id = ?", [.text(attachment.id)])
                    if !isThere { look.report("\(name): its attachment \(attachment.id) is missing") }
                }
            }
            // After a thread was removed, its messages are deleted in steps. So they may still be there.
            try look.find(
                "CAST(number AS text) || ' (' || id || '): its thread ' || CAST(thread AS text)", in: "message",
                where: """
                    NOT EXISTS (SELECT 1 FROM thread WHERE thread.number = message.thread)
                    AND NOT EXISTS (SELECT 1 FROM orphan WHERE orphan.thread = message.thread)
                    """
            ) { "message \($0) is missing" }
            try look.find(
                "CAST(thread AS text) || ' (' || id", in: "tombstone",
                where: """
                    EXISTS (SELECT 1 FROM message WHERE message.thread = tombstone.thread AND message.id = tombstone.id)
                    """
            ) { "message of thread \($0)): it was removed, and is there" }
        }
    ]
}

/// What is looked at of a row of `message`.
private struct CheckedMessage {
    static let columns =
        "number, thread, id, createdAt, isToAgent, isSeen, version, json, parent, isInThread, type, customType"

    let number, thread, createdAt, version: Int64
    let id, type: String
    let isToAgent, isSeen, isInThread: Bool
    let json: [UInt8]
    let parent, customType: String?

    init(row: SQLRow) {
        (number, thread, id, createdAt) = (row.integer(0), row.integer(1), row.text(2), row.integer(3))
        (isToAgent, isSeen, version, json) = (row.flag(4), row.flag(5), row.integer(6), row.blob(7))
        parent = row.isNull(8) ? nil : row.text(8)
        (isInThread, type) = (row.flag(9), row.text(10))
        customType = row.isNull(11) ? nil : row.text(11)
    }
}

extension StoreCheck {
    /// Attachments: their JSON and their messages. For their files see ``StoreReader/inspectFiles(in:digest:report:)``.
    static let attachments = [
        StoreCheck(name: "attachments") { look in
            try look.eachText(
                "id, thread, message, digest, json", of: "attachment",
                {
                    (
                        id: $0.text(0), thread: $0.isNull(1) ? nil : $0.integer(1),
                        message: $0.isNull(2) ? nil : $0.integer(2), digest: $0.blob(3), json: $0.blob(4)
                    )
                }
            ) { row in
                let name = "attachment \(row.id)"
                guard let attachment = look.decoded(name, { try Attachment(canonicalJSON: row.json) }) else { return }
                look.compare(name, "id", row.id, attachment.id)
                if !row.digest.isEmpty, row.digest.count != 32 { look.report("\(name): its digest is no SHA-256") }
                guard let message = row.message else { return }
                let thread = try look.db.first("SELECT thread FROM message WHERE number = ?", [.integer(message)]) {
                    $0.integer(0)
                }
                // One whose message is gone is swept.
                if let thread, thread != row.thread {
                    look.report("\(name): it is in another thread than its message \(message)")
                }
            }
            try look.find(
                "attachment", in: "remoteFile",
                where: "NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.id = remoteFile.attachment)"
            ) { "attachment \($0) is missing, and a service has its file" }
        }
    ]
}
