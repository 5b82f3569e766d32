import Formats

/// Why an operation on a chat was refused or failed.
///
/// The codes keep the names of the SDK's `CXoneChatError` where it has one. `detail`
/// says it in a sentence for whoever reads the answer; it holds no message text.
///
/// ```swift
/// let error = ChatError(.unknownThread, "The session has no thread of this id.")
/// print(error.code.rawValue, error.isStorageFailure)
/// ```
public struct ChatError: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        // The SDK's own.
        case notConnected, illegalChatState, illegalThreadState, unsupportedChannelConfig
        case missingPreChatCustomFields, recoveringThreadFailed, invalidParameter, missingParameter
        case invalidData, eventTimeout, customerAssociationFailure, channelConfigFailure
        case attachmentError, invalidFileSize, invalidFileType, serverError
        case sdkVersionNotSupported, transactionTokenExpired, transactionTokenRequestFailed, missingAccessToken,
            sendTranscriptFailed
        case missingVisitId
        // Parley's.
        case unsupportedCapability, textTooLong, messageIdConflict, threadIdConflict, channelExists
        case tokenRefreshFailed
        case notAuthor, preconditionFailed, ambiguousThread, notJoined, messageNotFailed, assignedToAnother
        case nameVouched
        case unknownParent, replyDepthExceeded, replyNotAllowed, parentHasReplies
        case unknownSession, unknownThread, unknownMessage, unknownNote, unknownAnswer, tooManyAnswers, unknownCustomer,
            unknownChannel, unknownService, tooManyThreads
        case unknownAttachment, emptyFile, attachmentInUse, tooManyUploads, tooManyUnsent, tooManyFetches,
            quotaExceeded
        case unknownCollection, fetchInProgress, tooManyCollections, tooManyScreens
        case unknownWebhook, unknownDelivery, webhookExists, tooManyWebhooks, deliveryExpired, cursorExpired
        case unknownDevice, tooManyDevices, invalidSubscription, targetNotAllowed, pushNotConfigured
        case unknownKey, tooManyKeys, unknownPerson, personExists, tooManyPeople, lastAdministrator, unknownLogin,
            invitationGone
        case unknownTag, tagExists, tooManyTags, answeredMeanwhile
        case noSuchCustomer, ambiguousCustomer, tooManyNotes, answerExists
        case unknownLink, tooManyLinks, linkGone, unknownSecret, tooManySecrets, otherIdentity
        case idempotencyKeyReused, idempotencyKeyInFlight
        case storageFailed, storageUnavailable, storageFull, searchUnavailable, shuttingDown
    }

    public var code: Code
    public var detail: String
    /// The member of the request that is to blame, as a JSON Pointer (RFC 6901), if one is.
    public var pointer: String?
    /// All members that are to blame, where there can be several.
    public var faults: [Fault]

    /// One member of a request that is to blame.
    public struct Fault: Sendable, Equatable {
        public var code: Code
        public var detail: String
        public var pointer: String

        public init(_ code: Code, _ detail: String, pointer: String) {
            self.code = code
            self.detail = detail
            self.pointer = pointer
        }
    }

    public init(_ code: Code, _ detail: String, pointer: String? = nil) {
        self.code = code
        self.detail = detail
        self.pointer = pointer
        faults = pointer.map { [Fault(code, detail, pointer: $0)] } ?? []
    }

    /// - Parameter faults: at least one.
    public init(_ code: Code, _ detail: String, faults: [Fault]) {
        self.code = code
        self.detail = detail
        pointer = faults.first?.pointer
        self.faults = faults
    }

    /// The store could not do it. Nobody who asked is to blame, and what was there before is there still.
    public var isStorageFailure: Bool {
        switch code {
        case .storageFailed, .storageUnavailable, .storageFull: true
        default: false
        }
    }

    /// Nothing is broken by it: reported as an event, the session goes on.
    public var isSoft: Bool { code == .recoveringThreadFailed }
}

/// Why something that goes on has failed, as the resource that it belongs to shows it: a message, or a session's
/// connection.
public struct Failure: CanonicalJSON, Hashable {
    /// A code of ``ChatError``, as problems have it.
    public var code: String
    public var detail: String

    public init(_ error: ChatError) {
        code = error.code.rawValue
        detail = error.detail
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("code", code)
        json.member("detail", detail)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        code = try json.requiredString("code")
        detail = try json.requiredString("detail")
    }
}
