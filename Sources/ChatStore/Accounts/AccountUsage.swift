import Bounds
import ChatModel

/// How many bytes the store keeps of what one account's own tokens have written.
public struct AccountQuotas: Sendable {
    /// Of messages, as JSON.
    public var texts = Int64(ByteBound.accountTexts.bytes)
    /// Of files, sent or not.
    public var files = Int64(ByteBound.accountFiles.bytes)

    public init() {}
}

/// What an account has in the store that counts for its ``AccountQuotas``: a row of `usage`, in bytes.
///
/// A message that counts names the account and the bytes in its row, and a file the bytes that count for its uploader. What
/// agents, the gateway's own token and platforms write counts for nobody. So a removal gives back exactly what was counted,
/// and nobody has to add up all rows.
struct AccountUsage: Sendable, Equatable {
    var texts: Int64 = 0
    var files: Int64 = 0
}

extension ReadTransaction {
    func usage(of account: Int64) throws -> AccountUsage {
        if let known = hot?.usage(of: account) {
            #if DEBUG
                try checkHot(known, is: readUsage(of: account))
            #endif
            return known
        }
        let usage = try readUsage(of: account)
        hot?.cache(usage, of: account)
        return usage
    }

    private func readUsage(of account: Int64) throws -> AccountUsage {
        try db.first("SELECT texts, files FROM usage WHERE account = ?", [.integer(account)]) {
            AccountUsage(texts: $0.integer(0), files: $0.integer(1))
        } ?? AccountUsage()
    }

    /// Whether the messages that count for an account have reached its quota. The one that reaches it may go beyond.
    public func isFull(_ account: Int64, _ quotas: AccountQuotas) throws -> Bool {
        try usage(of: account).texts >= quotas.texts
    }
}

extension WriteTransaction {
    /// Counts bytes of messages and files for an account, or with negative numbers gives them back.
    func count(texts: Int64 = 0, files: Int64 = 0, of account: Int64) throws {
        let known = try usage(of: account)
        let usage = AccountUsage(texts: max(0, known.texts + texts), files: max(0, known.files + files))
        guard usage != known else { return }
        try db.run(
            """
            INSERT INTO usage (account, texts, files) VALUES (?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET texts = excluded.texts, files = excluded.files
            """, [.integer(account), .integer(usage.texts), .integer(usage.files)])
        hot?.cache(usage, of: account)
    }

    /// Counts how much more an edited message has than before, if it counts at all. Call it before the first change of
    /// the unit. Throws `quotaExceeded` for one that grows while its account has reached the quota.
    public func countEdit(of message: MessageRecord, before old: [UInt8], within quotas: AccountQuotas) throws {
        let more = Int64(message.json.count - old.count)
        guard more != 0, let payer = try payer(of: message.number) else { return }
        if more > 0, try isFull(payer.account, quotas) { throw ChatError.textsExceeded(quotas) }
        try db.run(
            "UPDATE message SET bytes = ? WHERE number = ?",
            [.integer(payer.bytes + more), .integer(message.number)])
        try count(texts: more, of: payer.account)
    }

    /// Who pays for a message, and how many bytes; nil if it counts for nobody.
    func payer(of message: Int64) throws -> (account: Int64, bytes: Int64)? {
        try db.first(
            "SELECT payer, bytes FROM message WHERE number = ? AND payer IS NOT NULL", [.integer(message)]
        ) { ($0.integer(0), $0.integer(1)) }
    }

    /// Gives back what files count for their uploaders, before their rows go.
    func giveBack(attachments ids: [String]) throws {
        let list = Placeholders(ids.map(SQLValue.text))
        let counted = try db.all(
            """
            SELECT uploader, CAST(sum(bytes) AS bigint) FROM attachment WHERE id IN \(list.sql) AND bytes > 0
            GROUP BY uploader
            """, list.values
        ) { (uploader: $0.integer(0), bytes: $0.integer(1)) }
        for each in counted { try count(files: -each.bytes, of: each.uploader) }
    }
}

extension ChatError {
    /// For an account whose messages have reached the quota.
    public static func textsExceeded(_ quotas: AccountQuotas) -> ChatError {
        ChatError(
            .quotaExceeded, "The messages of one customer have at most \(quotas.texts) bytes, and these have as many.")
    }
}
