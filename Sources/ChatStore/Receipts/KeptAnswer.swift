import Bounds
import ChatModel

/// The body of an answer as a receipt keeps it. What can be made again is kept by reference: otherwise a few hundred
/// repeated requests about a great thread would fill the disk.
///
/// The first byte tells a reference from JSON, which never begins with a letter of this kind.
enum KeptAnswer {
    /// A thread whose great fields are a reference follows.
    fileprivate static let thread = UInt8(ascii: "T")
    /// The message that the receipt names.
    fileprivate static let message = UInt8(ascii: "M")

    static func kept(_ body: [UInt8], of record: ThreadRecord) -> [UInt8] {
        guard let fields = record.storedFields else { return body }
        let replaced = GreatFields(thread: record.number, fields).replaced(in: body)
        return replaced.count < body.count ? [thread] + replaced : body
    }

    static func keptMessage(_ body: [UInt8]) -> [UInt8] {
        body.count <= ByteBound.receiptMessage.bytes ? body : [message]
    }
}

extension ReadTransaction {
    /// The answer that ``KeptAnswer`` stands for. Fields and message are as they are now.
    ///
    /// - Parameter message: the receipt's message. When it is removed, the receipt has another body.
    func answer(kept body: [UInt8], message: Int64?) throws -> [UInt8] {
        switch body.first {
        case KeptAnswer.thread: return try db.whole(Array(body.dropFirst()))
        case KeptAnswer.message:
            let json = try db.first("SELECT json FROM message WHERE number = ?", [.optional(message)]) { $0.blob(0) }
            return json ?? Array("{}".utf8)
        default: return body
        }
    }
}
