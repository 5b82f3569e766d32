import ChatModel

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
