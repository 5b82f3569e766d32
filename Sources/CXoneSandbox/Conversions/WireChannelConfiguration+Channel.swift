import Chat
import ChatModel
import CXoneWire

extension WireChannelConfiguration {
    /// - Parameter family: for whom: what is answered where there is no live chat to recover is announced here.
    init(_ channel: Channel, as face: SandboxChannel, for family: ClientFamily, _ ids: StableIDs) {
        let survey = channel.preChatSurvey.flatMap { survey in
            survey.fields.isEmpty
                ? nil
                : PreContactForm(
                    id: ids.uuid("survey\n\(channel.id)"), name: survey.name, channelIDs: [face.id],
                    fields: survey.fields.map(SurveyField.init))
        }
        self.init(
            name: channel.name, idOnExternalPlatform: String(face.id.dropFirst("chat_".count)),
            isLiveChat: channel.mode == .liveChat, isAuthorizationEnabled: face.authorization.isOAuth,
            availability: WireAvailability(isOnline: channel.isOnline),
            settings: CXoneWire.ChannelSettings(
                hasMultipleThreadsPerEndUser: channel.mode == .multithread, isProactiveChatEnabled: true,
                isTranscriptAllowed: true, isTypingPreviewed: true, securedSessions: face.authorization.isSecured,
                fileRestrictions: WireFileRestrictions(channel.fileRestrictions),
                features: [
                    "securedSessions": face.authorization.isSecured, "isProactiveChatEnabled": true,
                    "isRecoverLivechatDoesNotFailEnabled": family.takesEmptyLivechat, "liveChatLogoHidden": false,
                ]),
            survey: survey)
    }
}

extension WirePushNotifications {
    /// - Parameter face: how the app knows the channel.
    init(_ offer: PushOffer, channel face: SandboxChannel) {
        self.init(
            isActive: offer.isActive, title: offer.title, body: offer.body,
            deepLink: offer.deepLink.replacing("{channelId}", with: face.id))
    }
}

extension WireFileRestrictions {
    init(_ restrictions: FileRestrictions) {
        self.init(
            allowedFileSize: Int(max(1, restrictions.maximumSize >> 20)),
            allowedFileTypes: restrictions.allowedTypes.flatMap(Self.types).map {
                FileType(mimeType: $0, description: $0)
            },
            isAttachmentsEnabled: restrictions.isAttachmentsEnabled)
    }

    /// Clients know wildcards such as `image/*`, but not `*/*`, which is therefore written as all of those.
    private static func types(_ type: String) -> [String] {
        type == "*/*" ? ["application/*", "audio/*", "image/*", "text/*", "video/*"] : [type]
    }
}

extension SurveyField {
    init(_ field: CustomFieldDefinition) {
        let options = field.options.map { SurveyOption(name: $0.id, label: $0.label, parentID: $0.parentID) }
        let kind: Kind =
            switch field.kind {
            case .text: .text
            case .email: .email
            case .list: .list(options)
            case .tree: .tree(options)
            }
        self.init(ident: field.ident, label: field.label, isRequired: field.isRequired, kind: kind)
    }
}

/// The family of SDKs that a client belongs to. The families differ in which answers they understand.
enum ClientFamily: Sendable, Hashable {
    case ios, android, web

    /// From `sdkPlatform`. A client that does not tell it counts as iOS, whose protocol is the reference.
    init(_ platform: String?) {
        switch platform?.lowercased() {
        case "android": self = .android
        case "web": self = .web
        default: self = .ios
        }
    }

    /// Whether `LivechatRecovered` without data says that there is nothing; the others want an error.
    var takesEmptyLivechat: Bool { self == .ios }
    /// Whether the error codes of sending and changing threads are known; iOS takes an unknown one for success.
    var knowsAllErrorCodes: Bool { self != .ios }
}
