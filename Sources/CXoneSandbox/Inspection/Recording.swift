import ChatModel
import CXoneWire
import Formats
import HTTPRouting
import MicroHTTP
import SandboxKit

/// What is kept of the platform's HTTP requests and their answers, beside the frames of sockets.
extension Sandbox {
    /// Answers a request over HTTP. A fault may delay, replace or lose the answer. Both are kept as frames.
    ///
    /// - Parameter operation: the route's operation, which stands for the event.
    func recorded(
        _ operation: String, _ request: HTTPRequest, channel: String, visitor: String,
        _ answer: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await faults.recorded(
            operation, request, customer: Self.customer(in: request.body) ?? customer(ofVisitor: visitor),
            channel: { await embedded(channel) }, refusal: { _ in .refusal }, customerOf: Self.customer(in:), answer)
    }

    /// The customer whom a small body names, as requests for tokens and their answers do.
    private static func customer(in body: [UInt8]) -> String? {
        guard !body.isEmpty, body.count <= SandboxFrame.limit, let json = try? JSONParser.parse(body) else {
            return nil
        }
        return (json["customerIdentity"] ?? json["consumerIdentity"])?["idOnExternalPlatform"]?.string
    }
}

extension HTTPResponse {
    /// What a fault answers in place of the platform.
    static var refusal: HTTPResponse {
        .failure(503, "InternalServerError", "The sandbox was asked to refuse this.")
    }
}

extension FrameSecrets {
    /// The names under which the platform's requests and answers carry tokens.
    static let cxone = FrameSecrets(["token", "secret", "authorizationcode", "codeverifier", "password"])
}

/// What is kept of a client's socket for whoever looks.
extension SandboxSession {
    /// - Parameter customer: whom the frame names, if the session does not know it yet.
    @discardableResult
    func record(
        _ text: [UInt8], _ direction: SandboxFrame.Direction, type: String?, of customer: String?,
        answering asked: Asked? = nil
    ) -> Int {
        var frame = SandboxFrame(
            .frame, text, direction, type: type, socket: number, customer: identity?.key.customer ?? customer,
            at: sandbox.store.environment.now())
        (frame.answers, frame.asked) = (asked?.number, asked?.type)
        return sandbox.faults.frames.record(frame)
    }

    func noteEnd(_ reason: CloseReason) {
        var frame = SandboxFrame(
            .closed, [], ending == nil && reason == .client ? .toSandbox : .toClient, type: "close", socket: number,
            customer: identity?.key.customer, at: sandbox.store.environment.now())
        frame.reason =
            ending
            ?? {
                switch reason {
                case .client: "client"
                case .server: "server"
                case .refused(let code): "\(code)"
                }
            }()
        sandbox.faults.frames.record(frame)
    }
}
