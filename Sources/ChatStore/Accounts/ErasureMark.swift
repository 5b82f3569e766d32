/// What the column `service` says of an account that is being erased, or was. The account is not found by its key then: a
/// session with the same key gets a new account.
///
/// The row stays until the log has lost the last event that names it, so that whoever was away is still told of its
/// removed threads.
enum ErasureMark {
    /// The erasure is under way, and goes on at the next start. The number makes the key unique.
    static func erasing(_ account: AccountRecord) -> String { "erasing:\(account.number):\(account.key.service)" }

    /// All is gone. The log had this head then.
    static func erased(_ account: AccountRecord, head: Int64) -> String {
        "erased:\(account.number):\(head):\(account.key.service)"
    }

    /// The range of the marks of one kind: from the first text to before the second one.
    static let allErasing = ("erasing:", "erasing;")
    static let allErased = ("erased:", "erased;")

    /// The service that the account belongs to, of a column with a mark or without.
    static func service(_ column: String) -> String {
        guard column.hasPrefix("eras"), let colon = column.lastIndex(of: ":") else { return column }
        return String(column[column.index(after: colon)...])
    }

    /// The log's head in the mark of an account that was erased; nil in any other.
    static func head(_ column: String) -> Int64? {
        guard column.hasPrefix(allErased.0) else { return nil }
        return Int64(column.split(separator: ":").dropFirst(2).first ?? "")
    }
}
