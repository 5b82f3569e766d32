import ChatModel

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
