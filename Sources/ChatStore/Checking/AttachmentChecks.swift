import ChatModel
import Glibc

extension StoreCheck {
    /// Attachments: their JSON, their messages, and their files by size and digest.
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
                if let message = row.message {
                    let thread = try look.db.first(
                        "SELECT thread FROM message WHERE number = ?", [.integer(message)]
                    ) { $0.integer(0) }
                    // One whose message is gone is swept.
                    if let thread, thread != row.thread {
                        look.report("\(name): it is in another thread than its message \(message)")
                    }
                }
                // Without a digest, only a remote service has the file.
                if !row.digest.isEmpty { look.checkFile(of: attachment, digest: row.digest, name) }
            }
            try look.find(
                "attachment", in: "remoteFile",
                where: "NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.id = remoteFile.attachment)"
            ) { "attachment \($0) is missing, and a service has its file" }
        }
    ]
}

extension Inspection {
    fileprivate func checkFile(of attachment: Attachment, digest: [UInt8], _ name: String) {
        guard let files else { return }
        // A file that was set aside moves back when it is opened.
        let paths = ["\(files.folder)/\(attachment.id)", "\(files.folder)/unclaimed/\(attachment.id)"]
        var info = stat()
        guard let path = paths.first(where: { stat($0, &info) == 0 }) else {
            return report("\(name): its file is missing")
        }
        guard Int64(info.st_size) == attachment.size else {
            return report("\(name): its file has \(info.st_size) bytes, and should have \(attachment.size)")
        }
        guard let found = files.digest(path) else { return report("\(name): its file cannot be read") }
        if found != digest { report("\(name): its file has other bytes than were stored") }
    }
}
