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
        let hasRemoved = try request.flag("including_removed") ?? false
        let hasReactions = try request.flag("include_reactions") ?? false
        let filter = try MessageFilter(request)
        let (url, origin) = (request.parameters["channel"], request.origin)
        var found = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let place =
                try id.map { try transaction.knownMessage($0, in: record).message.createdAt }
                ?? time.map { Timestamp(milliseconds: $0) } ?? Timestamp.latest
            var page = try MessagePage(transaction, record, filter, self)
            var all = try page.side(of: place, .older, previous)
            if hasTime { all += try page.simultaneous(with: place) }
            all += try page.side(of: place, .newer, next)
            var shapes = try all.map {
                try transaction.shape(of: $0, in: record, at: origin, withReactions: hasReactions)
            }
            if hasRemoved {
                let removed: RemovedMessages? = try transaction.kept(of: .thread(record.number))
                shapes += try (removed?.items ?? []).filter { page.covers($0.at.value) }.map { item in
                    var shape = SendbirdMessage(id: item.id, type: item.type, channelURL: url, createdAt: item.at)
                    shape.sender = try item.sender.map { try transaction.person($0, in: self) }
                    (shape.isRemoved, shape.updatedAt) = (true, item.removedAt)
                    return shape
                }
                shapes.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            }
            return shapes
        }
        if isReversed { found.reverse() }
        return SendbirdPage(found)
    }

    /// `GET .../messages/total_count`
    func messageCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let url = request.parameters["channel"]
        let count = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let removed: RemovedMessages? = try transaction.kept(of: .thread(record.number))
            let standing = try removed?.items.filter { try transaction.message(number: $0.id, in: record) != nil }
            return try transaction.messageCount(of: record) - (standing?.count ?? 0)
        }
        return SendbirdCount(.total, Int64(count))
    }
}

/// Which messages a list has.
struct MessageFilter: Sendable {
    let replies: ReplyFilter
    private let parent: Int64?
    private let type: String?
    private let customTypes: [String]?
    private let senders: [String]?
    private let isOperator: Bool?

    init(_ request: SandboxRequest) throws(SendbirdError) {
        parent = try request.number("parent_message_id", in: 0...Int64.max).flatMap { $0 == 0 ? nil : $0 }
        let asked = try request.choice("include_reply_type", of: ["NONE", "ALL", "ONLY_REPLY_TO_CHANNEL"])
        replies = parent != nil || asked == "ALL" ? .all : asked == "ONLY_REPLY_TO_CHANNEL" ? .alsoInThread : .none
        type = try request.choice("message_type", of: ["", "MESG", "FILE", "ADMM"]).flatMap { $0.isEmpty ? nil : $0 }
        let types = request.query["custom_types"]
        // An empty list asks for those without a type.
        customTypes = types == nil || types == "*" ? nil : types == "" ? [""] : request.texts("custom_types")
        senders = request.texts("sender_ids") ?? request.texts("sender_id")
        isOperator = try request.choice("operator_filter", of: ["all", "operator", "nonoperator"]).flatMap {
            $0 == "all" ? nil : $0 == "operator"
        }
    }

    /// - Parameters:
    ///   - parent: the message of ``parent``, if one was asked for.
    ///   - operators: of the channel.
    func fits(_ record: MessageRecord, parent: MessageRecord?, operators: [String]) -> Bool {
        let message = record.message
        if message.isRemoved { return false }
        if let parent, message.parentID != parent.message.id, record.number != parent.number { return false }
        if let type, SendbirdMessageType(message).rawValue != type { return false }
        if let customTypes, !customTypes.contains(message.customType ?? "") { return false }
        let isCustomer = message.author.kind == .customer
        if let senders {
            let sender = isCustomer ? message.author.id : SendbirdSandbox.agentPrefix + message.author.id
            guard message.author.kind != .system, senders.contains(sender) else { return false }
        }
        guard let isOperator else { return true }
        return isOperator == (!isCustomer || operators.contains(message.author.id))
    }

    func parent(_ transaction: ReadTransaction, _ record: ThreadRecord) throws -> MessageRecord? {
        try parent.map { try transaction.knownMessage($0, in: record) }
    }
}

/// Reads a page of messages on both sides of a time, in portions, and bounds what it reads.
private struct MessagePage {
    enum Side { case older, newer }

    private let transaction: ReadTransaction
    private let record: ThreadRecord
    private let filter: MessageFilter
    private let parent: MessageRecord?
    private let operators: [String]
    private var seen = 0
    private var bytes = 0
    /// Of which times the page tells all messages.
    private var from = Int64.max
    private var to = Int64.min

    /// Messages of exactly one time, at most.
    private static let mostSimultaneous = 200
    /// Bytes of the texts of a page, at most.
    private static let mostBytes = 8 << 20

    init(
        _ transaction: ReadTransaction, _ record: ThreadRecord, _ filter: MessageFilter, _ sandbox: SendbirdSandbox
    ) throws {
        (self.transaction, self.record, self.filter) = (transaction, record, filter)
        parent = try filter.parent(transaction, record)
        operators = try transaction.extras(of: record).operators
    }

    func covers(_ time: Int64) -> Bool { (from...max(from, to)).contains(time) && from <= to }

    mutating func simultaneous(with time: Timestamp) throws -> [MessageRecord] {
        cover(time.milliseconds)
        return try taken(
            transaction.messages(
                in: record, around: time, previous: 0, next: 0, simultaneous: Self.mostSimultaneous,
                replies: filter.replies))
    }

    /// So many messages before or after the time, oldest first.
    mutating func side(of time: Timestamp, _ side: Side, _ limit: Int) throws -> [MessageRecord] {
        guard limit > 0 else { return [] }
        let portion = max(limit, SendbirdSandbox.portion)
        var (found, place, last) = ([MessageRecord](), time, Set<Int64>())
        while true {
            // The next portion begins with the last one's time: more messages may have it.
            let all = try transaction.messages(
                in: record, around: place, previous: side == .older ? portion : 0, next: side == .newer ? portion : 0,
                simultaneous: last.isEmpty ? 0 : Self.mostSimultaneous, replies: filter.replies)
            let rest = all.filter { !last.contains($0.number) }
            found = side == .older ? try taken(rest) + found : found + (try taken(rest))
            seen += rest.count
            let isEnd = rest.count < portion
            if isEnd || found.count >= limit { break }
            guard seen <= SendbirdSandbox.most else { throw SendbirdSandbox.tooMany("messages") }
            place = (side == .older ? rest[0] : rest[rest.count - 1]).message.createdAt
            last = Set(all.filter { $0.message.createdAt == place }.map(\.number))
        }
        let page = side == .older ? Array(found.suffix(limit)) : Array(found.prefix(limit))
        if found.count < limit {
            cover(side == .older ? 0 : Int64.max)
        } else if let end = side == .older ? page.first : page.last {
            cover(end.message.createdAt.milliseconds)
        }
        return page
    }

    private mutating func cover(_ time: Int64) { (from, to) = (min(from, time), max(to, time)) }

    private mutating func taken(_ rows: [MessageRecord]) throws -> [MessageRecord] {
        let taken = rows.filter { filter.fits($0, parent: parent, operators: operators) }
        bytes += taken.reduce(0) { $0 + ($1.message.text?.utf8.count ?? 0) }
        guard bytes <= Self.mostBytes else {
            throw SendbirdError(.combinationRefused, "The messages are too long for one answer. Ask for fewer.")
        }
        return taken
    }
}
