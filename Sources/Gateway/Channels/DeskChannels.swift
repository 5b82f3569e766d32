import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `{"id","mode"}` and the settings: a new channel of the embedded service. No setting may be null.
struct NewChannel: RequestBody {
    /// The mode defaults to `multithread` only if a fault was reported.
    let draft: ChannelDraft

    init(reading object: inout ObjectReader) {
        let id = object.requiredString("id", length: 1...64)
        if !id.isEmpty, !Self.isChannelID(id) {
            object.reject("id", "letters, digits and . _ ~ - were expected, a letter or digit first")
        }
        let mode: ChatMode? = object.requiredChoice("mode", of: ChatMode.allCases)
        let settings = ChannelSettingsBody.read(&object, takesNull: false)
        draft = ChannelDraft(id: id, name: settings.name, mode: mode ?? .multithread, settings: settings)
    }

    /// Whether the text is a valid channel id: 1 to 64 letters, digits and `._~-`, a letter or digit first. Channel ids
    /// become segments of paths and names of configuration files, so nothing else is allowed.
    static func isChannelID(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        guard bytes.count <= 64, let first = bytes.first else { return false }
        return isAlphanumeric(first) && bytes.allSatisfy { isAlphanumeric($0) || "._~-".utf8.contains($0) }
    }
}

/// Settings of a channel to change. What is left out stays as it is.
///
/// The shape is `{"name"?,"fileRestrictions"?,"preChatSurvey"?,"contactFields"?,
/// "customerFields"?,"welcomeMessage"?,"inactivity"?,"push"?,"menu"?,"rating"?,
/// "reopenDays"?,"assignOnAnswer"?,"visitors"?,"appearance"?,"languages"?,"texts"?,"hours"?,"outside"?}`.
struct ChannelSettingsBody: RequestBody {
    /// A name has 1 to 256 characters, a welcome message 1 to 4,096.
    let settings: ChannelSettings

    init(reading object: inout ObjectReader) { settings = Self.read(&object, takesNull: true) }

    /// - Parameter takesNull: whether null is accepted for settings that can be absent, and removes them (RFC 7396).
    static func read(_ object: inout ObjectReader, takesNull: Bool) -> ChannelSettings {
        func removable<T>(_ name: String, _ read: (inout ObjectReader) -> T?) -> T?? {
            if takesNull, object.optional(name) == .null { return .some(nil) }
            return read(&object).map { .some($0) }
        }
        var settings = ChannelSettings()
        settings.name = object.optionalString("name", length: 1...256)
        settings.fileRestrictions =
            object.object(
                object.optional("fileRestrictions"), "fileRestrictions", as: FileRestrictionsBody.self)?.restrictions
        settings.preChatSurvey = removable("preChatSurvey") {
            $0.object($0.optional("preChatSurvey"), "preChatSurvey", as: SurveyBody.self)?.survey
        }
        settings.contactFields = CustomFieldBody.optional("contactFields", &object)
        settings.customerFields = CustomFieldBody.optional("customerFields", &object)
        settings.welcomeMessage = removable("welcomeMessage") { $0.optionalString("welcomeMessage", length: 1...4096) }
        settings.inactivity = removable("inactivity") {
            $0.object($0.optional("inactivity"), "inactivity", as: InactivityBody.self)?.limits
        }
        settings.push = removable("push") {
            $0.object($0.optional("push"), "push", as: PushSettingsBody.self)?.settings
        }
        settings.menu = MenuItemBody.optional("menu", &object)
        settings.rating = removable("rating") { $0.optionalChoice("rating", of: RatingForm.allCases) }
        settings.reopenDays = object.optionalInteger("reopenDays", in: 0...365)
        settings.assignsOnAnswer = object.optionalBool("assignOnAnswer")
        settings.visitors = removable("visitors") {
            $0.object($0.optional("visitors"), "visitors", as: VisitorSettingsBody.self)?.settings
        }
        settings.appearance = removable("appearance") {
            $0.object($0.optional("appearance"), "appearance", as: AppearanceBody.self)?.appearance
        }
        settings.languages = LanguageBody.optional("languages", &object)
        settings.texts = ChannelTextsBody.optional("texts", &object)
        settings.hours = removable("hours") { $0.object($0.optional("hours"), "hours", as: HoursBody.self)?.hours }
        settings.outside = removable("outside") {
            $0.object($0.optional("outside"), "outside", as: OutsideBody.self)?.outside
        }
        return settings
    }
}

/// `{"title"?,"body"?,"deeplink"?,"content"?}`: the pushes about messages of the channel.
struct PushSettingsBody: RequestBody {
    let settings: PushSettings

    init(reading object: inout ObjectReader) {
        settings = PushSettings(
            title: object.optionalString("title", length: 1...PushSettings.maximumTitleLength),
            body: object.optionalString("body", length: 1...PushSettings.maximumBodyLength),
            deeplink: object.optionalString("deeplink", length: 1...DeepLinkTemplate.maximumLength),
            content: object.optionalChoice("content", of: PushContent.allCases))
        if let link = settings.deeplink, DeepLinkTemplate(link) == nil {
            object.reject(
                "deeplink",
                "a URL was expected, which begins with a scheme and has no braces but {channelId} and {threadId}")
        }
    }
}

/// `{"secondsUntilPopup","secondsUntilEnd"}`, 1 to 86,400 each: the silence after which the customer is asked, and the
/// time from then until the chat ends.
struct InactivityBody: RequestBody {
    /// Both in seconds.
    let limits: InactivityLimits

    init(reading object: inout ObjectReader) {
        limits = InactivityLimits(
            secondsUntilPopup: object.requiredInteger("secondsUntilPopup", in: 1...86_400),
            secondsUntilEnd: object.requiredInteger("secondsUntilEnd", in: 1...86_400))
    }
}

/// `{"id","label","postback"?}`: an entry of the channel's menu.
struct MenuItemBody: RequestBody {
    let item: MenuItem

    init(reading object: inout ObjectReader) {
        item = MenuItem(
            id: object.requiredID("id"), label: object.requiredString("label", length: 1...MenuItem.maximumLabelLength),
            postback: object.optionalString("postback", length: 1...MenuItem.maximumPostbackLength))
    }

    /// A member with the whole menu; nil when it is missing. Two entries with one id are a fault.
    static func optional(_ name: String, _ object: inout ObjectReader) -> [MenuItem]? {
        let bodies = object.objects(object.optional(name), name, count: 0...MenuItem.maximumCount, as: Self.self)
        guard let items = bodies?.map(\.item) else { return nil }
        if Set(items.map(\.id)).count < items.count { object.reject(name, "two entries have the same id") }
        return items
    }
}

/// `{"isOnline"}`: whether agents are there for the channel.
struct Availability: RequestBody {
    /// True when agents are there.
    let isOnline: Bool

    init(reading object: inout ObjectReader) { isOnline = object.requiredBool("isOnline") }
}

/// The channels of the embedded service, which the desk creates and changes.
extension DeskRoutes {
    var channels: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/channels", "listDeskChannels", access: .scope(.channelsRead),
                handler: .task { call in
                    let cursor = call.headCursor.description
                    let rights = call.rights
                    let channels = try await desk.channels().filter { rights.reaches($0.id) }.map(desk.shown)
                    return call.json(headers: [("Parley-Cursor", cursor), Call.revalidate]) { json in
                        json.beginObject()
                        json.member("items", channels)
                        json.member("cursor", cursor)
                        json.endObject()
                    }
                }),
            Route(
                .post, "/v1/desk/channels", "createDeskChannel", access: .scope(.channelsWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body: NewChannel = try call.body()
                    try call.checkTexts(of: body.draft.settings)
                    let outcome = try await desk.createChannel(body.draft, receipt: call.receipt)
                    call.core.visitorSettings.takeSettings(of: try await desk.channel(body.draft.id))
                    return call.outcome(outcome)
                }
            ).audited(as: "channel.created").located { _, id in
                // Channels are read under their service, also those that the desk creates.
                "/v1/services/local/channels/\(id.percentEncoded)"
            },
            Route(
                .get, "/v1/desk/channels/{channel}", "getDeskChannel", access: .scope(.channelsRead),
                handler: .task { call in
                    let id = call.parameters["channel"]
                    guard call.rights.reaches(id) else { throw ChatError.unknownChannel(id) }
                    return call.json(
                        desk.shown(try await desk.channel(id)).canonicalJSON, headers: [Call.revalidate])
                }),
            Route(
                .patch, "/v1/desk/channels/{channel}", "updateDeskChannel", access: .scope(.channelsWrite), body: .json,
                handler: .aside { call in
                    let body: ChannelSettingsBody = try call.body()
                    try call.checkTexts(of: body.settings)
                    let channel = try await desk.update(channel: call.parameters["channel"], body.settings)
                    call.core.visitorSettings.takeSettings(of: channel)
                    return call.json(desk.shown(channel).canonicalJSON)
                }
            ).audited(as: "channel.changed"),
            Route(
                .put, "/v1/desk/channels/{channel}/availability", "setDeskChannelAvailability",
                access: .scope(.deskManage),
                body: .json,
                handler: .aside { call in
                    let body: Availability = try call.body()
                    let id = call.parameters["channel"]
                    guard call.rights.reaches(id) else { throw ChatError.unknownChannel(id) }
                    return call.json(
                        desk.shown(try await desk.setOnline(body.isOnline, channel: id)).canonicalJSON)
                }
            ).audited(as: "channel.switched"),
        ]
    }
}

extension DeskService {
    /// The channel with whether it is open now.
    fileprivate func shown(_ channel: Channel) -> Channel {
        var channel = channel
        channel.opening = opening(of: channel)
        return channel
    }
}

/// The picture of a channel, which stands in the head of its chat. It is kept as people's pictures are, and the
/// channel's appearance names its address.
extension DeskRoutes {
    var logos: [Route] {
        let path = "/v1/desk/channels/{channel}/logo"
        return [
            Route(
                .get, path, "getChannelLogo", access: .scope(.channelsRead),
                handler: .aside { call in
                    let channel = try await call.core.store.read { try call.channel(in: $0) }
                    guard let logo = channel.appearance?.logo else {
                        throw Problem(.notFound, "The channel has no logo.")
                    }
                    return call.json(headers: [Call.revalidate]) { Self.encode(logo, to: &$0) }
                }),
            Route(
                .put, path, "setChannelLogo", access: .scope(.channelsWrite),
                body: .foreign(limit: Picture.maximumByteCount),
                handler: .aside { call in
                    let picture = try call.picture
                    try await call.setLogo(picture)
                    return call.json { Self.encode(Picture.path(picture.digest), to: &$0) }
                }
            ).audited(as: "channel.changed"),
            Route(
                .delete, path, "deleteChannelLogo", access: .scope(.channelsWrite),
                handler: .aside { call in
                    try await call.setLogo(nil)
                    return call.noContent()
                }
            ).audited(as: "channel.changed"),
        ]
    }

    private static func encode(_ logo: String, to json: inout JSONWriter) {
        json.beginObject()
        json.member("logo", logo)
        json.endObject()
    }
}

extension Call {
    /// The path's channel. Throws `unknownChannel` for one that is not there for the caller.
    fileprivate func channel(in transaction: ReadTransaction) throws -> Channel {
        let id = parameters["channel"]
        guard rights.reaches(id), let channel = try transaction.channel(id, of: VisitorRoutes.service) else {
            throw ChatError.unknownChannel(id)
        }
        return channel
    }

    fileprivate func setLogo(_ picture: Picture?) async throws {
        ChatStore.act?.name(members: ["appearance.logo"])
        let channel = try await core.store.write { transaction in
            var channel = try self.channel(in: transaction)
            try transaction.setLogo(picture, of: &channel, VisitorRoutes.service)
            return channel
        }
        core.visitorSettings.takeSettings(of: channel)
    }
}
