import ChatModel
import Formats
import SendbirdWire

/// Why a call of the platform has no answer that says it was done.
enum SendbirdFailure: Error, Sendable {
    /// It was not done, and the platform says why.
    case refused(SendbirdError)
    /// It was not done, or nobody knows. The code is `serverError`, `eventTimeout` or `notConnected`.
    case open(ChatError)
    /// It was not done, for too many calls wait, here or there. That tells nothing about the way to the platform. The code
    /// is `serverError`.
    case notAsked(ChatError)
    /// It was done, and its answer has more bytes than are read.
    case tooLarge

    /// The platform's code where it has refused.
    var code: SendbirdErrorCode? { if case .refused(let error) = self { error.code } else { nil } }

    /// What is not there may never have been there, or is there no more.
    var isNotFound: Bool { code == .notFound || code == .userNotFound }

    /// The same call for fewer items may succeed.
    var asksForFewer: Bool { if case .tooLarge = self { true } else { code == .combinationRefused } }

    /// No call of this application can succeed any more, until somebody changes its configuration.
    var endsApplication: Bool {
        switch code {
        case .tokenInvalid, .applicationNotFound, .applicationNotAvailable: true
        default: false
        }
    }
}

/// What a call is about: it says what is missing where the platform has not found it.
enum SendbirdSubject: Sendable {
    case user, thread(String), message(String)
}

extension ChatError {
    /// Whether the same may succeed a little later: the platform has not refused it.
    var mayPass: Bool {
        [.serverError, .eventTimeout, .notConnected].contains(code) || isStorageFailure
    }

    /// The platform's refusal in the API's words. The platform's own sentence may hold anything, so only its beginning
    /// is passed on, without what could not be shown.
    init(_ failure: SendbirdFailure, about subject: SendbirdSubject) {
        let error: SendbirdError
        switch failure {
        case .open(let known), .notAsked(let known):
            self = known
            return
        case .tooLarge:
            self.init(.serverError, "The platform's answer is too large.")
            return
        case .refused(let refusal): error = refusal
        }
        let words = error.message.cut(toScalars: 200).text.unicodeScalars.map { scalar in
            (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
        }
        let detail = "The platform refused (\(error.code.rawValue)): \(String(words))"
        self.init(Self.code(error.code, subject), detail)
    }

    private static func code(_ code: SendbirdErrorCode, _ subject: SendbirdSubject) -> Code {
        switch code {
        case .notFound, .userNotFound:
            switch subject {
            case .user: .unknownCustomer
            case .thread: .unknownThread
            case .message: .unknownMessage
            }
        case .notAuthorized, .banned, .bannedFromChannel, .invitationBlocked: .notJoined
        case .tooLong: if case .message = subject { .textTooLong } else { .invalidParameter }
        case .notString, .notNumber, .notList, .notJSON, .notBoolean, .missing, .bodyMissing, .bodyNotJSON: .invalidData
        case .invalidURL, .noSuchPath, .notServed: .unsupportedCapability
        case .existsAlready: .threadIdConflict
        case .tokenInvalid, .applicationNotFound, .applicationNotAvailable, .userDeactivated, .quotaExceeded,
            .domainNotAllowed:
            .serverError
        default: .invalidParameter
        }
    }
}
