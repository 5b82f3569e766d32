import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// A platform that the gateway is the face of, beside its own API. Its answers are the platform's, errors too.
package protocol SandboxPlatform: Sendable {
    func answer(_ operation: SandboxOperation, _ request: HTTPRequest, _ parameters: PathParameters) async -> HTTPResponse
    /// Throws `unknownAttachment`.
    func attachment(_ id: String) async throws -> OpenAttachment
    /// Opens the platform's socket.
    func open(_ request: HTTPRequest) -> HTTPResponse
    /// Whether a request to `/` wants the socket.
    func isSocket(_ request: HTTPRequest) -> Bool

    var brandID: Int { get }
    func channels() throws -> [(id: String, channel: String, authorization: String)]

    func faults() -> [SandboxFault]
    /// False when too many are due already.
    func add(_ fault: SandboxFault) -> Bool
    func removeFaults()
    func makeID() -> String
}

/// The platform's endpoints.
package enum SandboxOperation: Sendable {
    case configuration, availability, menu, upload, visitor, visitorEvents, token, largeEvent
}

/// Something that is to go wrong, as it is asked for and listed.
package struct SandboxFault: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case dropSocket, delayAnswer, loseAnswer, duplicatePush, reorderPush, refuse, expireToken

        /// Done when it is asked for; the others wait for what they meet.
        var isImmediate: Bool { self == .dropSocket || self == .expireToken }
    }

    package var id: String
    package var kind: Kind
    package var customer: String?
    package var event: String?
    package var count: Int
    package var milliseconds: Int
    package var errorCode: String?

    package init(
        id: String, kind: Kind, customer: String?, event: String?, count: Int, milliseconds: Int, errorCode: String?
    ) {
        self.id = id
        self.kind = kind
        self.customer = customer
        self.event = event
        self.count = count
        self.milliseconds = milliseconds
        self.errorCode = errorCode
    }
}
