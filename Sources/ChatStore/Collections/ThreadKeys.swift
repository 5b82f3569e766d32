import ChatModel
import GRDB

/// What a thread's members carry of it for the orders and filters of thread collections.
struct ThreadKeys: Equatable {
    var createdAt: Int64
    var nameKey: [UInt8]
    var customType: String?

    init(_ thread: ChatThread) {
        createdAt = thread.createdAt.milliseconds
        nameKey = Self.nameKey(thread.name)
        customType = thread.customType
    }

    /// The name in lower case as UTF-8, compared bytewise. A byte that UTF-8 never has puts threads without a name last.
    static func nameKey(_ name: String?) -> [UInt8] { name.map { Array($0.lowercased().utf8) } ?? [0xFF] }
}

extension Database {
    func write(_ keys: ThreadKeys, ofThread number: Int64) throws {
        try run(
            "UPDATE member SET createdAt = ?, nameKey = ?, customType = ? WHERE thread = ?",
            [.integer(keys.createdAt), .blob(keys.nameKey), .optional(keys.customType), .integer(number)])
    }
}
