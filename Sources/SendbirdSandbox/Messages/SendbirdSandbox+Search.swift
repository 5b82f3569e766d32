import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// `GET /search/messages`: the desk's search, cut to a channel, or to the channels of a user.
extension SendbirdSandbox {
    func searchMessages(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        guard let query = request.query["query"], !query.isEmpty else {
            throw SendbirdError(.missing, "\"query\" is missing.")
        }
        guard request.query["channel_url"] != nil || request.query["user_id"] != nil else {
            throw SendbirdError(.missing, "\"channel_url\" or \"user_id\" is missing.")
        }
        let limit = Int(try request.number("limit", in: 1...99) ?? 20)
        let from = try request.number("message_ts_from", in: 0...Int64.max) ?? 0
        let to = try request.number("message_ts_to", in: 0...Int64.max) ?? .max
        let isExact = try request.flag("exact_match") ?? false, isReversed = try request.flag("reverse") ?? false
        let order = try request.choice("sort_field", of: ["score", "ts"]) ?? "score"
        let filter = PageFilter(
            request,
            [
                "query", "channel_url", "user_id", "message_ts_from", "message_ts_to", "exact_match", "reverse",
                "sort_field",
            ], in: self)
        let (skipped, origin) = (try filter.place(), request.origin)
        let (url, user) = (request.query["channel_url"], request.query["user_id"])
        let hits = try await hits(isExact ? "\"\(query)\"" : query, in: url)
        let (page, total) = try await read { transaction in
            let account = try user.map { try transaction.user($0, in: self).number }
            func rows(of hit: Hit) throws -> (record: ThreadRecord, message: MessageRecord)? {
                guard let record = try transaction.channel(hit.channel, in: self),
                    let message = try transaction.message(hit.message, in: record)
                else { return nil }
                return (record, message)
            }
            // Of all that match, only the numbers are held: a text has up to 64 KiB.
            var found: [(hit: Hit, number: Int64)] = []
            for hit in hits {
                guard let (record, message) = try rows(of: hit), !message.message.isRemoved,
                    account == nil || record.members.contains(where: { $0.account == account }),
                    (from...max(from, to)).contains(message.message.createdAt.milliseconds)
                else { continue }
                found.append((hit, message.number))
            }
            if order == "ts" { found.sort { $0.number > $1.number } }
            if isReversed { found.reverse() }
            let page = try found.dropFirst(skipped).prefix(limit).compactMap { hit, _ in
                try rows(of: hit).map { try transaction.shape(of: $0.message, in: $0.record, at: origin) }
            }
            return (page, found.count)
        }
        return SendbirdSearchAnswer(
            page, total: total, hasPrevious: skipped > 0,
            next: total > skipped + limit ? filter.token(skipped + limit) : "")
    }

    /// The places of what matches, best first. Throws 400920 if more matches than a list looks through.
    private func hits(
        _ query: String, in url: String?
    ) async throws(SendbirdError) -> [Hit] {
        if let url { _ = try await read { try $0.knownChannel(url, in: self).number } }
        // A test must find what it has just sent.
        try await act { () throws(ChatError) in try await store.catchUpSearch() }
        let (desk, thread) = (service.desk, url.map { DeskThread(id: $0, channel: channel) })
        let within: Set<String> = [channel]
        var (found, cursor) = ([Hit](), String?.none)
        while true {
            let place = cursor
            let page = try await act { () throws(ChatError) in
                try await desk.search(
                    for: query, where: SearchFilter(), in: thread, within: within,
                    page: PageRequest(limit: Self.portion, cursor: place))
            }
            guard let json = try? JSONParser.parse(page.body + Array("}".utf8)) else { break }
            for item in json["items"]?.array ?? [] {
                guard let message = item["message"], let id = message["id"]?.string,
                    let thread = message["threadId"]?.string
                else { continue }
                found.append(Hit(channel: thread, message: id))
            }
            guard let next = page.next else { break }
            guard found.count < Self.most else { throw Self.tooMany("messages") }
            cursor = next
        }
        return found
    }

    private struct Hit {
        var channel: String
        var message: String
    }
}
