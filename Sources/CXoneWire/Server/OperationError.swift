/// A request failed: `error` in a frame with the request's `eventId`.
public struct OperationError: Error, Sendable, Hashable {
    /// The request; nil in a frame that names none.
    public var eventID: String?
    public var code: ErrorCode
    public var transactionID: String
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

/// Why a request failed: `errorCode`. Codes that aren't known are errors as well.
public struct ErrorCode: WireName {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let customerAuthorizationFailed = ErrorCode(rawValue: "CustomerAuthorizationFailed")
    public static let consumerAuthorizationFailed = ErrorCode(rawValue: "ConsumerAuthorizationFailed")
    public static let customerReconnectionFailed = ErrorCode(rawValue: "CustomerReconnectionFailed")
    public static let consumerReconnectionFailed = ErrorCode(rawValue: "ConsumerReconnectionFailed")
    public static let tokenRefreshingFailed = ErrorCode(rawValue: "TokenRefreshingFailed")
    public static let recoveringThreadFailed = ErrorCode(rawValue: "RecoveringThreadFailed")
    public static let recoveringLivechatFailed = ErrorCode(rawValue: "RecoveringLivechatFailed")
    public static let sendingTranscriptFailed = ErrorCode(rawValue: "SendingTranscriptFailed")
    public static let inconsistentData = ErrorCode(rawValue: "InconsistentData")
    public static let sendingMessageFailed = ErrorCode(rawValue: "SendingMessageFailed")
    public static let sendingOutboundFailed = ErrorCode(rawValue: "SendingOutboundFailed")
    public static let updatingThreadFailed = ErrorCode(rawValue: "UpdatingThreadFailed")
    public static let archivingThreadFailed = ErrorCode(rawValue: "ArchivingThreadFailed")
    public static let sendingOfflineMessageFailed = ErrorCode(rawValue: "SendingOfflineMessageFailed")
    public static let sdkVersionNotSupported = ErrorCode(rawValue: "SdkVersionNotSupported")

    // Codes that the Android SDK gives to its own failures; no server sends them.
    public static let metadataLoadFailed = ErrorCode(rawValue: "MetadataLoadFailed")
    public static let s3EventLoadFailed = ErrorCode(rawValue: "S3EventLoadFailed")
    public static let createOrUpdateVisitorFailed = ErrorCode(rawValue: "CreateOrUpdateVisitorFailed")
}
