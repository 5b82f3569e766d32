import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// A channel's messages in pages by time.
extension SendbirdSandbox {
    /// `GET /group_channels/{url}/messages`: around `message_ts`, or the message of `message_id`.
    func messages(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        guard request.query["message_ts"] != nil || request.query["message_id"] != nil else {
            throw SendbirdError(.missing, "\"message_ts\" is missing.")
        }
        // 0 stands for "not given": the official client demands both.
        let time = try request.number("message_ts", in: 0...Int64.max).flatMap { $0 == 0 ? nil : $0 }
        let id = try request.number("message_id", in: 0...Int64.max).flatMap { $0 == 0 ? nil : $0 }
        let previous = Int(try request.number("prev_limit", in: 0...200) ?? 15)
        let next = Int(try request.number("next_limit", in: 0...200) ?? 15)
        let hasTime = try request.flag("include") ?? true, isReversed = try request.flag("reverse") ?? false
        let replies = request.query["include_reply_type"]?.uppercased()
        let url = request.parameters["channel"]
        let found = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let place =
                try id.map { try transaction.knownMessage($0, in: record).message.createdAt }
                ?? time.map { Timestamp(milliseconds: $0) } ?? Timestamp.latest
            return try transaction.messages(
                in: record, around: place, previous: previous, next: next,
                simultaneous: hasTime ? Self.mostSimultaneous : 0,
                replies: replies == "ALL" ? .all : replies == "ONLY_REPLY_TO_CHANNEL" ? .alsoInThread : .none
            ).map { try transaction.shape(of: $0, in: record) }
        }
        return SendbirdPage(isReversed ? found.reversed() : found)
    }

    /// The most messages of exactly one time that a page has.
    private static let mostSimultaneous = 200

    /// `GET .../messages/total_count`
    func messageCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let url = request.parameters["channel"]
        let count = try await read { transaction in
            try transaction.messageCount(of: transaction.knownChannel(url, in: self))
        }
        return SendbirdCount(.total, Int64(count))
    }
}
