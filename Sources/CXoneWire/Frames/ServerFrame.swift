import Formats

/// A text frame from the platform to a client, or the body of an event that was too large for one.
public enum ServerFrame: Sendable, Hashable {
    /// The JSON string `"pong"`: the answer to ``ClientFrame/heartbeat``.
    case pong
    /// An answer with a type of its own: a frame with `postback`.
    case answer(ServerAnswer, eventID: String?)
    /// An answer without a type, `SendMessage`'s for example.
    case acknowledgement(Acknowledgement)
    /// Something that happened. Its `eventId` belongs to no request.
    case push(ServerPush)
    /// A request failed: a frame with `error`.
    case error(OperationError)
    /// The gateway in front of the platform failed; no request is named.
    case gatewayError(GatewayError)
    /// JSON that is none of these; it is ignored.
    case unknown
}

extension ServerFrame: WireDocument {
    /// Reads a frame, or the body to which an ``EventInS3`` points (with ``WireLimit/largeEvent``).
    ///
    /// The order of the tests matters: a frame with `error` is an error whatever else it has, and a known
    /// answer's type makes a frame an answer even without `postback`. Throws ``WireError`` with the `eventId` and
    /// the type, if they could be read.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
        if value.string == "pong" {
            self = .pong
            return
        }
        let eventID = value["eventId"]?.idText
        let postbackType = value["postback"]?["eventType"]?.string
        let type = value["eventType"]?.string ?? postbackType
        do throws(WireError) {
            if value["error"] != nil {
                self = .error(try OperationError(value))
            } else if let error = GatewayError(value) {
                self = .gatewayError(error)
            } else if let type, let answer = try ServerAnswer(type: type, in: value) {
                self = .answer(answer, eventID: eventID)
            } else if let type {
                self =
                    postbackType == nil
                    ? .push(try ServerPush(type: type, in: value)) : .answer(.unknown(type: type), eventID: eventID)
            } else if let eventID {
                self = .acknowledgement(try Acknowledgement(value, eventID: eventID))
            } else {
                self = .unknown
            }
        } catch {
            throw error.of(eventID: eventID, eventType: type)
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            switch self {
            case .pong: writer.string("pong")
            case .answer(let answer, let eventID): answer.write(to: &writer, eventID: eventID)
            case .acknowledgement(let acknowledgement): acknowledgement.write(to: &writer)
            case .push(let push): push.write(to: &writer)
            case .error(let error): error.write(to: &writer)
            case .gatewayError(let error): error.write(to: &writer)
            case .unknown: writer.object { _ in }
            }
        }
    }
}

/// Says that a request was accepted: a frame with an `eventId` and no type. Web clients wait for one after every
/// request.
public struct Acknowledgement: Sendable, Hashable {
    public var eventID: String
    public var status: String?
    public var createdAt: Timestamp?

    public init(eventID: String, status: String? = "success", createdAt: Timestamp? = nil) {
        self.eventID = eventID
        self.status = status
        self.createdAt = createdAt
    }
}

extension Acknowledgement: WireWritable {
    init(_ value: WireValue, eventID: String) throws(WireError) {
        self.eventID = eventID
        status = try value.optional("status")
        createdAt = try value.optional("createdAt")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("eventId", eventID)
            writer.member("status", ifPresent: status)
            writer.member("createdAt", ifPresent: createdAt)
        }
    }
}

/// An answer that has a type, by the platform's own names: `postback` of a frame.
///
/// It is written so that all families of SDKs can read it. There is no `data` beside `postback`, because web
/// clients would take it for the answer. `contactHistory` stands wherever web clients look for it.
public enum ServerAnswer: Sendable, Hashable {
    /// Answers `AuthorizeCustomer`; servers may call it `CustomerAuthorized`.
    case consumerAuthorized(ConsumerAuthorized)
    /// Old servers call it `CustomerReconnected`.
    case consumerReconnected
    /// Answers `RefreshToken`; the client replaces its stored token.
    case tokenRefreshed(AccessToken)
    /// Answers `FetchThreadList`; without messages.
    case threadListFetched([WireThread])
    /// Answers `LoadThreadMetadata`.
    case threadMetadataLoaded(ThreadMetadata)
    /// Answers `RecoverThread`, with the newest messages.
    case threadRecovered(RecoveredThread)
    /// Nil when there is nothing to recover. Web clients need an error frame instead.
    case livechatRecovered(RecoveredThread?)
    /// Answers `LoadMoreMessages`, with the next older messages.
    case moreMessagesLoaded(MessagePage)
    /// Answers `ArchiveThread`.
    case threadArchived
    /// Answers `UpdateThread`. Android waits for it, the iOS SDK for nothing.
    case threadUpdated
    /// Answers `SendTranscript`; failures come as ``ErrorCode/sendingTranscriptFailed``.
    case transcriptSent
    /// Answers `SendOfflineMessage`.
    case offlineMessageSent

    // What only web clients ask for.
    /// `authorizationToken.token`, for the `url` of the request.
    case authorizationTokenGenerated(token: String)
    /// `invitation.code`, which others send in `JoinGroupChat`.
    case invitationToGroupChatCreated(code: String)
    case emailInvitationToGroupChatSent
    case groupChatJoined

    /// Any other type. It counts as an acknowledgement of the request.
    case unknown(type: String)
}

extension ServerAnswer {
    /// `eventType`
    public var type: String {
        switch self {
        case .consumerAuthorized: "ConsumerAuthorized"
        case .consumerReconnected: "ConsumerReconnected"
        case .tokenRefreshed: "TokenRefreshed"
        case .threadListFetched: "ThreadListFetched"
        case .threadMetadataLoaded: "ThreadMetadataLoaded"
        case .threadRecovered: "ThreadRecovered"
        case .livechatRecovered: "LivechatRecovered"
        case .moreMessagesLoaded: "MoreMessagesLoaded"
        case .threadArchived: "ThreadArchived"
        case .threadUpdated: "ThreadUpdated"
        case .transcriptSent: "TranscriptSent"
        case .offlineMessageSent: "OfflineMessageSent"
        case .authorizationTokenGenerated: "AuthorizationTokenGenerated"
        case .invitationToGroupChatCreated: "InvitationToGroupChatCreated"
        case .emailInvitationToGroupChatSent: "EmailInvitationToGroupChatSent"
        case .groupChatJoined: "GroupChatJoined"
        case .unknown(let type): type
        }
    }
}

extension ServerAnswer {
    /// Reads an answer. Its type and data are in `postback`, or directly in the frame. Nil if the type is no
    /// answer's.
    init?(type: String, in frame: WireValue) throws(WireError) {
        let isPostback = frame["postback"]?["data"] != nil || frame["data"] == nil
        let data = frame["postback"]?["data"] ?? frame["data"] ?? .emptyObject
        do throws(WireError) {
            guard let answer = try ServerAnswer(type: type, data: data, frame: frame) else { return nil }
            self = answer
        } catch {
            throw isPostback ? error.within("data").within("postback") : error.within("data")
        }
    }

    /// Nil for a type that is no answer's. A known type with bad data throws.
    private init?(type: String, data: WireValue, frame: WireValue) throws(WireError) {
        switch type {
        case "ConsumerAuthorized", "CustomerAuthorized":
            var authorized = try ConsumerAuthorized(data)
            authorized.status = frame["status"]?.string ?? authorized.status
            self = .consumerAuthorized(authorized)
        case "ConsumerReconnected", "CustomerReconnected": self = .consumerReconnected
        case "TokenRefreshed": self = .tokenRefreshed(try data.required("accessToken"))
        case "ThreadListFetched": self = .threadListFetched(try data.list("threads"))
        case "ThreadMetadataLoaded": self = .threadMetadataLoaded(try ThreadMetadata(data))
        case "ThreadRecovered": self = .threadRecovered(try RecoveredThread(data))
        case "LivechatRecovered":
            // Android's minimum is a scroll token alone, the iOS SDK takes no data at all.
            self = .livechatRecovered(data["thread"] == nil ? nil : try RecoveredThread(data))
        case "MoreMessagesLoaded": self = .moreMessagesLoaded(try MessagePage(data))
        case "ThreadArchived": self = .threadArchived
        case "ThreadUpdated": self = .threadUpdated
        case "TranscriptSent": self = .transcriptSent
        case "OfflineMessageSent": self = .offlineMessageSent
        case "AuthorizationTokenGenerated":
            self = .authorizationTokenGenerated(
                token: try data.inside("authorizationToken") { value throws(WireError) in try value.required("token") })
        case "InvitationToGroupChatCreated":
            self = .invitationToGroupChatCreated(
                code: try data.inside("invitation") { value throws(WireError) in try value.id("code") })
        case "EmailInvitationToGroupChatSent": self = .emailInvitationToGroupChatSent
        case "GroupChatJoined": self = .groupChatJoined
        default: return nil
        }
    }

    /// Writes the frame of the answer to the request with that `eventId`.
    func write(to writer: inout WireWriter, eventID: String?) {
        writer.object { writer in
            writer.member("eventId", ifPresent: eventID)
            if case .consumerAuthorized(let data) = self { writer.member("status", ifPresent: data.status) }
            if isAuthorization { writer.member("authorizationStatus", "authorized") }
            writer.object("postback") { writer in
                writer.member("eventType", type)
                writeData(to: &writer)
            }
        }
    }

    /// Web clients begin their heartbeat when a frame says that they are authorized.
    private var isAuthorization: Bool {
        switch self {
        case .consumerAuthorized, .consumerReconnected: true
        default: false
        }
    }

    /// The `data` of `postback`. Answers without contents have none, except two of group chats, which have `{}` as on
    /// the platform.
    private func writeData(to writer: inout WireWriter) {
        switch self {
        case .consumerAuthorized(let data): writer.member("data", data)
        case .tokenRefreshed(let token): writer.object("data") { $0.member("accessToken", token) }
        case .threadListFetched(let threads): writer.object("data") { $0.member("threads", threads) }
        case .threadMetadataLoaded(let data): writer.member("data", data)
        case .threadRecovered(let data): writer.member("data", data)
        case .livechatRecovered(let data?): writer.member("data", data)
        case .livechatRecovered(nil): writer.object("data") { $0.member("messagesScrollToken", "") }
        case .moreMessagesLoaded(let data): writer.member("data", data)
        case .authorizationTokenGenerated(let token):
            writer.object("data") { $0.object("authorizationToken") { $0.member("token", token) } }
        case .invitationToGroupChatCreated(let code):
            writer.object("data") { $0.object("invitation") { $0.member("code", code) } }
        case .emailInvitationToGroupChatSent, .groupChatJoined: writer.object("data") { _ in }
        case .consumerReconnected, .threadArchived, .threadUpdated, .transcriptSent, .offlineMessageSent, .unknown:
            break
        }
    }
}
