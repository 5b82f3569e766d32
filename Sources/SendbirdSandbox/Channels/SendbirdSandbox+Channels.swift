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
        let isDistinct = asked.isDistinct == true
        guard !isDistinct || asked.url == nil else {
            throw SendbirdError(.combinationRefused, "A distinct channel has no \"channel_url\" here.")
        }
        let asking = unique(asked.userIDs), inviting = asked.inviterID
        let (known, asks) = try await read { transaction in
            if let inviting { _ = try transaction.user(inviting, in: self) }
            let known = try asking.filter { try transaction.knownUser($0, in: self) != nil }
            return (known, try known.filter { try transaction.isAsked($0, in: self) })
        }
        if asked.isStrict == true, let unknown = asking.first(where: { !known.contains($0) }) {
            throw SendbirdError(.invalidValue, "No such user: \(unknown).")
        }
        guard !known.isEmpty else {
            throw SendbirdError(.invalidValue, "A channel needs a known user in \"user_ids\" here.")
        }
        let drafts = members(known, asked.invitationStatus, asking: asks)
        let url = asked.url ?? makeURL(distinctOf: isDistinct ? known : nil, asked.customType)
        if try await read({ try $0.channel(url, in: self) }) != nil {
            guard isDistinct else { throw SendbirdError(.existsAlready, "The channel exists already: \(url).") }
            return try await rejoined(url, drafts, request)
        }
        let draft = DeskThreadDraft(
            id: url, channel: channel, members: drafts, name: asked.name, customType: asked.customType)
        let desk = service.desk
        var context = DeedContext(inviter: inviting)
        context.channel = { extras in
            (extras.isMade, extras.isDistinct, extras.isPublic) = (true, isDistinct, asked.isPublic == true)
            (extras.data, extras.coverURL) = (asked.data ?? "", asked.coverURL ?? "")
            (extras.inviter, extras.operators) = (inviting, unique(asked.operatorIDs ?? []))
        }
        do throws(SendbirdError) {
            _ = try await act(with: context) { () throws(ChatError) in
                try await desk.createThread(draft, as: nil, receipt: nil)
            }
        } catch {
            // Another request may have been quicker.
            guard error.code == .existsAlready, isDistinct else { throw error }
            return try await rejoined(url, drafts, request)
        }
        return try await created(url, request)
    }

    /// Who left a distinct channel is a member again.
    private func rejoined(
        _ url: String, _ drafts: [MemberDraft], _ request: SandboxRequest
    ) async throws(SendbirdError) -> SendbirdChannel {
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        let ids = Set(try await memberIDs(of: url))
        let missing = drafts.filter { !ids.contains($0.id) }
        if !missing.isEmpty {
            _ = try await act(with: DeedContext(isJoining: true)) { () throws(ChatError) in
                try await desk.add(missing, to: thread, as: nil, receipt: nil)
            }
        }
        return try await created(url, request)
    }

    /// The invited join at once, unless a status or their own preference says otherwise.
    func members(_ ids: [String], _ status: [String: String]?, asking: [String]) -> [MemberDraft] {
        ids.map { id in
            let joins = status?[id].map { $0 == "joined" } ?? !asking.contains(id)
            return MemberDraft(id: id, state: joins ? .joined : .invited)
        }
    }

    /// A channel as the answer to creating shows it.
    private func created(_ url: String, _ request: SandboxRequest) async throws(SendbirdError) -> SendbirdChannel {
        var view = ChannelView(origin: request.origin)
        (view.hasMembers, view.hasOperators) = (true, true)
        var channel = try await channel(url, as: view)
        channel.isRepeatedInside = true
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
        let isDistinct = try await read { try $0.extras(of: $0.knownChannel(url, in: self)).isDistinct }
        guard asked.isDistinct == nil || asked.isDistinct == isDistinct else {
            throw SendbirdError(.notServed, "The sandbox does not change \"is_distinct\" of a channel.")
        }
        if asked.name != nil || asked.customType != nil {
            let patch = DeskThreadPatch(
                name: asked.name.map { .some($0) }, customType: asked.customType.map { .some($0) })
            let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
            _ = try await act { () throws(ChatError) in
                try await desk.update(thread, patch, ifMatch: nil, as: nil)
            }
        }
        try await change(url) { extras, _ in
            if let data = asked.data { extras.data = data }
            if let cover = asked.coverURL { extras.coverURL = cover }
            if let isPublic = asked.isPublic { extras.isPublic = isPublic }
            if let operators = asked.operatorIDs { extras.operators = unique(operators) }
        }
        return try await channel(url, as: ChannelView(origin: request.origin))
    }

    /// `DELETE /group_channels/{url}`: for everybody.
    func deleteChannel(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (desk, thread) = (service.desk, DeskThread(id: request.parameters["channel"], channel: channel))
        try await act { () throws(ChatError) in try await desk.remove(thread, ifMatch: nil, as: nil) }
        return SendbirdNothing()
    }

    /// `PUT /group_channels/{url}/freeze`: only operators write then, as far as they write by this API.
    func freeze(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(FreezeChannel.self), request.parameters["channel"])
        try await change(url) { extras, _ in extras.isFrozen = asked.isFrozen }
        return try await channel(url, as: ChannelView(origin: request.origin))
    }

    func channel(_ url: String, as view: ChannelView) async throws(SendbirdError) -> SendbirdChannel {
        try await read { transaction in
            try transaction.shape(of: transaction.knownChannel(url, in: self), view, in: self)
        }
    }

    /// Changes what is kept beside a channel, and tells of it. Throws 400201.
    func change(
        _ url: String, _ work: @escaping @Sendable (inout ChannelExtras, ThreadRecord) throws -> Void
    ) async throws(SendbirdError) {
        try await write { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let before = try transaction.extras(of: record)
            let after = try transaction.change(ChannelExtras.self, of: .thread(record.number)) { extras in
                try work(&extras, record)
                return extras
            }
            if before != after { try WebhookTeller(self, in: transaction)?.tell(after, since: before, of: record) }
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
        return "\(Self.urlPrefix)1_" + Hexadecimal.encode(SHA256.hash(data: json.bytes).prefix(20))
    }

    private static let urlPrefix = "sendbird_group_channel_"
}

/// The texts in their order, each once.
func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
}
