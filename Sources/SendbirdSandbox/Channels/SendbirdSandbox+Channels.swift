import Chat
import ChatModel
import ChatStore
import Crypto
import Formats
import LocalService
import SendbirdWire

/// Group channels: threads of the embedded channel. The URL is the thread's id.
extension SendbirdSandbox {
    /// `POST /group_channels`. A distinct channel of exactly these users is answered instead of made.
    func createChannel(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked: CreateChannel = try request.read()
        try refuseUnserved(asked)
        let isDistinct = asked.isDistinct == true
        guard !isDistinct || asked.url == nil else {
            throw SendbirdError(.combinationRefused, "A distinct channel has no \"channel_url\" here.")
        }
        let asking = unique(asked.userIDs)
        let known = try await read { transaction in
            try asking.filter { try transaction.knownUser($0, in: self) != nil }
        }
        if asked.isStrict == true, let unknown = asking.first(where: { !known.contains($0) }) {
            throw SendbirdError(.invalidValue, "No such user: \(unknown).")
        }
        guard !known.isEmpty else {
            throw SendbirdError(.invalidValue, "A channel needs a known user in \"user_ids\" here.")
        }
        let url = asked.url ?? makeURL(distinctOf: isDistinct ? known : nil, asked.customType)
        if try await read({ try $0.channel(url, in: self) }) != nil {
            guard isDistinct else { throw SendbirdError(.existsAlready, "The channel exists already: \(url).") }
            return try await created(url)
        }
        let draft = DeskThreadDraft(
            id: url, channel: channel, members: members(known, asked.invitationStatus), name: asked.name,
            customType: asked.customType)
        let (desk, apps, keys) = (service.desk, apps, known.map(key))
        _ = try await act { () throws(ChatError) in try await desk.createThread(draft, as: nil, receipt: nil) }
        try await write { transaction in
            for key in keys { try apps.note(key, in: transaction) }
        }
        return try await created(url)
    }

    /// The invited join at once, unless a status says otherwise.
    func members(_ ids: [String], _ status: [String: String]?) -> [MemberDraft] {
        ids.map { MemberDraft(id: $0, state: status?[$0].map { $0 == "joined" } ?? true ? .joined : .invited) }
    }

    /// A channel as the answer to creating shows it.
    private func created(_ url: String) async throws(SendbirdError) -> SendbirdChannel {
        var view = ChannelView()
        view.hasMembers = true
        var channel = try await channel(url, as: view)
        (channel.isRepeatedInside, channel.operators) = (true, [])
        return channel
    }

    /// `GET /group_channels/{url}`
    func channel(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let view = try ChannelView(request, of: request.query["user_id"])
        return try await channel(request.parameters["channel"], as: view)
    }

    /// `PUT /group_channels/{url}`
    func updateChannel(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(UpdateChannel.self), request.parameters["channel"])
        guard asked.data == nil, asked.coverURL == nil, asked.isDistinct == nil, asked.isPublic == nil,
            asked.operatorIDs == nil
        else { throw SendbirdError(.notServed, "The sandbox changes \"name\" and \"custom_type\" only, yet.") }
        let patch = DeskThreadPatch(name: asked.name.map { .some($0) }, customType: asked.customType.map { .some($0) })
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        _ = try await act { () throws(ChatError) in
            try await desk.update(thread, patch, ifMatch: nil, as: nil)
        }
        return try await channel(url, as: ChannelView())
    }

    /// `DELETE /group_channels/{url}`: for everybody.
    func deleteChannel(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (desk, thread) = (service.desk, DeskThread(id: request.parameters["channel"], channel: channel))
        try await act { () throws(ChatError) in try await desk.remove(thread, ifMatch: nil, as: nil) }
        return SendbirdNothing()
    }

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
        let filter = PageFilter("channels", request, ChannelFilter.names)
        let skipped = Int(try filter.place(request.query["token"]))
        let (wanted, view) = (try ChannelFilter(request), try ChannelView(request, of: user))
        let embedded = channel
        let (page, hasMore) = try await read { transaction in
            let account = try user.map { try transaction.user($0, in: self).number }
            // A sandbox may be slow: it looks through all of them.
            let threads = try transaction.threads(
                on: embedded, of: LocalService.serviceID, withMember: account, limit: Self.most)
            let fitting = wanted.sorted(threads.filter { wanted.fits($0, for: account) })
            let page = try fitting.dropFirst(skipped).prefix(limit).map {
                try transaction.shape(of: $0, view, in: self)
            }
            return (page, fitting.count > skipped + limit)
        }
        return SendbirdPage(
            page, next: hasMore ? filter.token(Int64(skipped + limit)) : "",
            time: UnixMilliseconds(store.environment.now()))
    }

    func channel(_ url: String, as view: ChannelView) async throws(SendbirdError) -> SendbirdChannel {
        try await read { transaction in
            try transaction.shape(of: transaction.knownChannel(url, in: self), view, in: self)
        }
    }

    /// What the embedded service cannot keep yet is refused, and not dropped silently.
    private func refuseUnserved(_ asked: CreateChannel) throws(SendbirdError) {
        guard asked.data?.isEmpty != false, asked.coverURL?.isEmpty != false, asked.isPublic != true,
            asked.operatorIDs?.isEmpty != false
        else {
            throw SendbirdError(
                .notServed,
                "The sandbox does not serve \"data\", \"cover_url\", \"is_public\" and \"operator_ids\" yet.")
        }
    }

    /// `sendbird_group_channel_<number>_<40 hex>`. That of a distinct channel is always the same for its users and type.
    private func makeURL(distinctOf users: [String]?, _ customType: String?) -> String {
        guard let users else {
            let id = SHA256.hash(data: Array(store.environment.makeID().utf8)).prefix(20)
            return "\(Self.urlPrefix)\(store.environment.now().milliseconds)_\(Hexadecimal.encode(id))"
        }
        var json = JSONWriter()
        json.beginArray()
        for user in users.sorted() { json.value(user) }
        json.value(customType ?? "")
        json.endArray()
        return Self.distinctPrefix + Hexadecimal.encode(SHA256.hash(data: json.bytes).prefix(20))
    }

    private static let urlPrefix = "sendbird_group_channel_"
    /// No other channel that the sandbox names has it.
    static let distinctPrefix = urlPrefix + "1_"
}

/// The texts in their order, each once.
func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
}
