/// A request failed: a frame with `error` and the request's `eventId`. The platform sends it also on its own,
/// without an id.
///
/// The iOS SDK takes a frame with an error code that it does not know for a success. Here each `error` is a failure.
public struct OperationError: Error, Sendable, Hashable {
    /// The request; nil in a frame that names none.
    public var eventID: String?
    public var code: ErrorCode
    /// The platform's id of the failure, for its support; "" if it was not told.
    public var transactionID: String
    /// `errorMessage`: the platform's words, for logs; "" if it was not told.
    public var message: String
    /// `inputData.thread`, which servers may repeat.
    public var threadID: String?

    public init(eventID: String?, code: ErrorCode, transactionID: String, message: String, threadID: String? = nil) {
        self.eventID = eventID
        self.code = code
        self.transactionID = transactionID
        self.message = message
        self.threadID = threadID
    }
}

extension OperationError: WireReadable, WireWritable {
    /// Reads any `error` that isn't null; one of another shape has the code "".
    public init(_ value: WireValue) throws(WireError) {
        eventID = value["eventId"]?.idText
        let error = value["error"]
        code = ErrorCode(rawValue: error?["errorCode"]?.idText ?? "")
        transactionID = error?["transactionId"]?.idText ?? ""
        message = error?["errorMessage"]?.string ?? error?.string ?? ""
        threadID = value["inputData"]?["thread"]?["idOnExternalPlatform"]?.idText
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("eventId", ifPresent: eventID)
            writer.object("error") { writer in
                writer.member("errorCode", code)
                writer.member("transactionId", transactionID)
                writer.member("errorMessage", message)
            }
            if let threadID {
                writer.object("inputData") { $0.member("thread", ThreadReference(id: threadID)) }
            }
        }
    }
}

/// Why a request failed: `errorCode`. An unknown code is an error as well, and is kept as it is.
public struct ErrorCode: WireName {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Answers `AuthorizeCustomer`. Servers may send the next code instead.
    public static let customerAuthorizationFailed = ErrorCode(rawValue: "CustomerAuthorizationFailed")
    public static let consumerAuthorizationFailed = ErrorCode(rawValue: "ConsumerAuthorizationFailed")
    /// Answers `ReconnectCustomer` and `ReconnectConsumer`: the iOS SDK refreshes its token then, web clients authorize
    /// anew.
    public static let customerReconnectionFailed = ErrorCode(rawValue: "CustomerReconnectionFailed")
    public static let consumerReconnectionFailed = ErrorCode(rawValue: "ConsumerReconnectionFailed")
    /// Answers `RefreshToken`: the customer has to log in again.
    public static let tokenRefreshingFailed = ErrorCode(rawValue: "TokenRefreshingFailed")
    /// Answers `RecoverThread`: there is no such thread, or none at all.
    public static let recoveringThreadFailed = ErrorCode(rawValue: "RecoveringThreadFailed")
    /// Answers `RecoverLivechat` for clients that do not understand an empty answer.
    public static let recoveringLivechatFailed = ErrorCode(rawValue: "RecoveringLivechatFailed")
    /// Answers `SendTranscript`.
    public static let sendingTranscriptFailed = ErrorCode(rawValue: "SendingTranscriptFailed")
    /// The request does not fit the state or the channel; the platform's general refusal.
    public static let inconsistentData = ErrorCode(rawValue: "InconsistentData")
    /// Answers `SendMessage`. Only Android knows this code and the four that follow.
    public static let sendingMessageFailed = ErrorCode(rawValue: "SendingMessageFailed")
    public static let sendingOutboundFailed = ErrorCode(rawValue: "SendingOutboundFailed")
    public static let updatingThreadFailed = ErrorCode(rawValue: "UpdatingThreadFailed")
    public static let archivingThreadFailed = ErrorCode(rawValue: "ArchivingThreadFailed")
    public static let sendingOfflineMessageFailed = ErrorCode(rawValue: "SendingOfflineMessageFailed")
    /// The platform refuses clients of this version, on every endpoint.
    public static let sdkVersionNotSupported = ErrorCode(rawValue: "SdkVersionNotSupported")

    // Codes that the Android SDK gives to its own failures; no server sends them.
    public static let metadataLoadFailed = ErrorCode(rawValue: "MetadataLoadFailed")
    public static let s3EventLoadFailed = ErrorCode(rawValue: "S3EventLoadFailed")
    public static let createOrUpdateVisitorFailed = ErrorCode(rawValue: "CreateOrUpdateVisitorFailed")
}

/// The gateway in front of the platform failed: a frame with `message`, `connectionId` and `requestId`. It does
/// not tell which request failed.
public struct GatewayError: Error, Sendable, Hashable {
    public var message: String
    public var connectionID: String
    public var requestID: String

    public init(message: String, connectionID: String, requestID: String) {
        self.message = message
        self.connectionID = connectionID
        self.requestID = requestID
    }
}

extension GatewayError: WireWritable {
    /// Nil for a frame of another kind: this one has `message` with `connectionId` or `requestId`, and no `eventId`.
    init?(_ value: WireValue) {
        guard let message = value["message"]?.string, value["eventId"] == nil,
            value["connectionId"] != nil || value["requestId"] != nil
        else { return nil }
        self.message = message
        connectionID = value["connectionId"]?.idText ?? ""
        requestID = value["requestId"]?.idText ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("message", message)
            writer.member("connectionId", connectionID)
            writer.member("requestId", requestID)
        }
    }
}

/// Why the platform refuses a request: the body of an error on any of its endpoints.
public struct ServiceFailure: Error, Sendable, Hashable {
    public var code: ErrorCode
    public var message: String

    public init(code: ErrorCode, message: String) {
        self.code = code
        self.message = message
    }
}

extension ServiceFailure: WireDocument {
    /// Reads `{"error": {"errorCode"}}` and, as the token service may write it, `{"errorCode"}`.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
        let error = value["error"] ?? value
        guard error.isObject else { throw error.expected("an object").within("error") }
        code = try error.required("errorCode")
        message = try error.optional("errorMessage") ?? ""
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            writer.object { writer in
                writer.object("error") { writer in
                    writer.member("errorCode", code)
                    writer.member("errorMessage", message)
                }
            }
        }
    }
}

extension ErrorCode {
    /// The token service doesn't talk to this address.
    public static let ipBlocked = ErrorCode(rawValue: "ip_blocked")
}
