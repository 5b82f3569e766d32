/// Why an operation on a chat was refused or failed.
///
/// The codes keep the names of the SDK's `CXoneChatError` where it has one. `detail`
/// says it in a sentence for whoever reads the answer; it holds no message text.
public struct ChatError: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        // The SDK's own.
        case notConnected, illegalChatState, illegalThreadState, unsupportedChannelConfig
        case missingPreChatCustomFields, recoveringThreadFailed, invalidParameter, missingParameter
        case invalidData, eventTimeout, customerAssociationFailure, channelConfigFailure, noMoreMessages
        case attachmentError, invalidFileSize, invalidFileType, serverError
        // Parley's.
        case unsupportedCapability, textTooLong, messageIdConflict, threadIdConflict, channelExists
        case notAuthor, preconditionFailed, ambiguousThread, notJoined, messageNotFailed
        case unknownParent, replyDepthExceeded, replyNotAllowed, parentHasReplies
        case unknownSession, unknownThread, unknownMessage, unknownCustomer, unknownChannel, unknownService
        case unknownAttachment, attachmentInUse
        case unknownCollection, fetchInProgress, tooManyCollections
        case idempotencyKeyReused, idempotencyKeyInFlight
        case storageFailed, storageFull, shuttingDown
    }

    public var code: Code
    public var detail: String
    /// The member of the request that is to blame, as a JSON Pointer (RFC 6901), if one is.
    public var pointer: String?

    public init(_ code: Code, _ detail: String, pointer: String? = nil) {
        self.code = code
        self.detail = detail
        self.pointer = pointer
    }

    /// Nothing is broken by it: reported as an event, the session goes on.
    public var isSoft: Bool { code == .recoveringThreadFailed }
}
