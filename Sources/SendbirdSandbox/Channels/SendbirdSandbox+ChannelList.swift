import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// Lists of channels. They are read in portions, so that few are in memory at a time; a sandbox may be slow.
extension SendbirdSandbox {
    /// `GET /group_channels`
    func channels(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        try await list(request, ofUser: nil)
    }

    /// `GET /users/{id}/my_group_channels`
    func channelsOfUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        try await list(request, ofUser: request.parameters["user"])
    }

    private func list(
        _ request: SandboxRequest, ofUser user: String?
    ) async throws(SendbirdError) -> SendbirdPage<SendbirdChannel> {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, ChannelFilter.names, in: self)
        let skipped = try filter.place()
        let (wanted, view) = (try ChannelFilter(request, of: user), try ChannelView(request, of: user))
        let embedded = channel
        let (page, next) = try await read { transaction in
            let account = try user.map { try transaction.user($0, in: self).number }
            var found: [ChannelFilter.Place] = []
            try transaction.eachChannel(of: embedded, withMember: account) { record in
                if try wanted.fits(record, for: account, in: transaction, self) {
                    found.append(wanted.place(of: record))
                }
            }
            found.sort(by: wanted.isBefore)
            var (page, bytes) = ([SendbirdChannel](), 0)
            for place in found.dropFirst(skipped).prefix(limit) {
                guard let record = try transaction.threads(numbered: [place.number]).first else { continue }
                let channel = try transaction.shape(of: record, view, in: self)
                bytes += channel.encoded.count
                // The page has at least one, and the rest comes with the next one.
                guard page.isEmpty || bytes <= Self.pageBytes else { break }
                page.append(channel)
            }
            let end = skipped + page.count
            return (page, found.count > end ? end : nil)
        }
        return SendbirdPage(
            page, next: next.map { filter.token($0) } ?? "", time: UnixMilliseconds(store.environment.now()))
    }

    /// The most bytes of a page of channels, if it has more than one.
    static let pageBytes = 4 << 20
}

extension ReadTransaction {
    /// Calls the closure with each channel, in no order. Throws 400920 if there are more than a list looks through.
    func eachChannel(
        of channel: String, withMember account: Int64?, _ body: (ThreadRecord) throws -> Void
    ) throws {
        let numbers = try threadNumbers(
            on: channel, of: LocalService.serviceID, withMember: account, limit: SendbirdSandbox.most + 1)
        guard numbers.count <= SendbirdSandbox.most else { throw SendbirdSandbox.tooMany("channels") }
        for start in stride(from: 0, to: numbers.count, by: SendbirdSandbox.portion) {
            let portion = Array(numbers[start..<min(numbers.count, start + SendbirdSandbox.portion)])
            for record in try threads(numbered: portion) where record.isKnownToDesk { try body(record) }
        }
    }
}
