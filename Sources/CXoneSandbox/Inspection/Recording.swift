import ChatModel
import CXoneWire
import Formats
import HTTPRouting
import MicroHTTP

/// What is kept of the platform's HTTP requests and their answers, beside the frames of sockets.
extension Sandbox {
    /// Keeps a frame, and returns its number.
    @discardableResult
    func record(_ frame: SandboxFrame) -> Int { frames.add { $0 = frame } }

    /// Answers a request over HTTP. A fault may delay or replace the answer. Both are added to ``Sandbox/frames``.
    ///
    /// - Parameter operation: the route's operation, which stands for the event.
    func recorded(
        _ operation: String, _ request: HTTPRequest, channel: String, visitor: String,
        _ answer: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let customer = Self.customer(in: request.body) ?? customer(ofVisitor: visitor)
        let number = record(request, operation, customer)
        let occasion = FaultOccasion(customer: customer, channel: await embedded(channel), event: operation)
        defer { observe(occasion, frame: number) }
        if meet([.refuse], occasion, .toSandbox, onlyNamed: true) != nil {
            let refused = HTTPResponse.failure(503, "InternalServerError", "The sandbox was asked to refuse this.")
            record(refused, operation, customer, to: number)
            return refused
        }
        do {
            let made = try await answer()
            if let fault = meet([.delayAnswer], occasion, .toClient, onlyNamed: true) {
                try? await clock.sleep(for: .milliseconds(fault.milliseconds))
            }
            record(made, operation, customer ?? Self.customer(in: Self.body(of: made)), to: number)
            return made
        } catch {
            var failed = SandboxFrame(
                .answer, Array("\(error)".utf8), .toClient, type: operation, customer: customer,
                at: store.environment.now())
            (failed.answers, failed.asked) = (number, operation)
            record(failed)
            throw error
        }
    }

    /// Keeps a request.
    func record(_ request: HTTPRequest, _ operation: String, _ customer: String?) -> Int {
        var frame = SandboxFrame(
            .request, Self.shown(request.body), .toSandbox, type: operation, customer: customer,
            at: store.environment.now())
        frame.size = request.body.count
        let target = String(FrameSecrets.removed(fromTarget: request.target).prefix(SandboxFrame.limit))
        frame.http = SandboxFrame.HTTP(method: request.method, target: target)
        return record(frame)
    }

    /// Keeps an answer to the request with this number.
    ///
    /// - Parameter socket: the socket that it opens.
    func record(
        _ answer: HTTPResponse, _ operation: String, _ customer: String?, to request: Int, socket: Int? = nil
    ) {
        let body = Self.body(of: answer)
        var frame = SandboxFrame(
            .answer, Self.shown(body), .toClient, type: operation, socket: socket, customer: customer,
            at: store.environment.now())
        (frame.size, frame.answers, frame.asked) = (body.count, request, operation)
        frame.http = SandboxFrame.HTTP(status: answer.status)
        record(frame)
    }

    private static func body(of answer: HTTPResponse) -> [UInt8] {
        if case .bytes(let bytes) = answer.body { bytes } else { [] }
    }

    /// As much of a body as is kept.
    private static func shown(_ body: [UInt8]) -> [UInt8] {
        body.count > SandboxFrame.limit ? Array(body.prefix(SandboxFrame.limit)) : body
    }

    /// The customer whom a small body names, as requests for tokens and their answers do.
    private static func customer(in body: [UInt8]) -> String? {
        guard !body.isEmpty, body.count <= SandboxFrame.limit, let json = try? JSONParser.parse(body) else {
            return nil
        }
        return (json["customerIdentity"] ?? json["consumerIdentity"])?["idOnExternalPlatform"]?.string
    }
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
        return sandbox.record(frame)
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
        sandbox.record(frame)
    }
}
