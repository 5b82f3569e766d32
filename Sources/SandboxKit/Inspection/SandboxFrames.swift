import Bounds
import ChatModel
import HTTPRouting
import MicroHTTP

/// What came from apps and what was sent to them last, for `/v1/sandbox/frames`: 2,000 frames, and 4 MiB. May be used from
/// any task.
package final class SandboxFrames: Sendable {
    package let recent: RecentItems<SandboxFrame>
    /// What is taken out of frames when they are shown.
    let secrets: FrameSecrets
    private let environment: ModelEnvironment

    package init(hiding secrets: FrameSecrets, _ environment: ModelEnvironment) {
        self.secrets = secrets
        self.environment = environment
        recent = RecentItems(
            limit: 2000, blank: SandboxFrame.blank, incarnation: Self.incarnation(environment),
            byteLimit: ByteBound.sandboxFrames.bytes, weigh: \.weight)
    }

    /// Forgets all of them, and begins with number 1.
    package func restart() { recent.restart(as: Self.incarnation(environment)) }

    /// Names the numbers of frames from one start to the next.
    private static func incarnation(_ environment: ModelEnvironment) -> String {
        String(environment.makeID().filter { $0 != "-" }.suffix(8))
    }

    /// Keeps a frame, and returns its number.
    @discardableResult
    package func record(_ frame: SandboxFrame) -> Int { recent.add { $0 = frame } }

    /// Keeps a request over HTTP.
    ///
    /// - Parameter operation: the route's operation, which stands for the event.
    package func record(_ request: HTTPRequest, _ operation: String, _ customer: String?) -> Int {
        var frame = SandboxFrame(
            .request, Self.shown(request.body), .toSandbox, type: operation, customer: customer, at: environment.now())
        frame.size = request.body.count
        let target = String(secrets.removed(fromTarget: request.target).prefix(SandboxFrame.limit))
        frame.http = SandboxFrame.HTTP(method: request.method, target: target)
        return record(frame)
    }

    /// Keeps an answer to the request with this number.
    ///
    /// - Parameters:
    ///   - socket: the socket that it opens.
    ///   - unknown: members of the request that no description knows.
    package func record(
        _ answer: HTTPResponse, _ operation: String, _ customer: String?, to request: Int, socket: Int? = nil,
        unknown: [String] = []
    ) {
        let body = Self.body(of: answer)
        var frame = SandboxFrame(
            .answer, Self.shown(body), .toClient, type: operation, socket: socket, customer: customer,
            at: environment.now())
        (frame.size, frame.answers, frame.asked) = (body.count, request, operation)
        frame.http = SandboxFrame.HTTP(status: answer.status)
        frame.unknown = unknown
        record(frame)
    }

    /// Keeps that a request was answered by an error that is not the platform's.
    func record(_ error: any Error, _ operation: String, _ customer: String?, to request: Int) {
        var failed = SandboxFrame(
            .answer, Array("\(error)".utf8), .toClient, type: operation, customer: customer, at: environment.now())
        (failed.answers, failed.asked) = (request, operation)
        record(failed)
    }

    /// Keeps a call of a program, and returns its number.
    func record(_ call: ProgramCall) -> Int {
        var frame = SandboxFrame(.request, call.body, .toClient, type: call.category, at: environment.now())
        let target = String(secrets.removed(fromTarget: call.url).prefix(SandboxFrame.limit))
        frame.http = SandboxFrame.HTTP(method: "POST", target: target)
        return record(frame)
    }

    /// Keeps what a program has answered to the call of this number, or why it has not.
    func record(_ status: Int?, _ text: [UInt8], to call: ProgramCall, _ number: Int) {
        var frame = SandboxFrame(.answer, text, .toSandbox, type: call.category, at: environment.now())
        (frame.answers, frame.asked) = (number, call.category)
        frame.http = SandboxFrame.HTTP(status: status)
        record(frame)
    }

    /// What an answer has in memory.
    static func body(of answer: HTTPResponse) -> [UInt8] {
        if case .bytes(let bytes) = answer.body { bytes } else { [] }
    }

    /// As much of a body as is kept.
    private static func shown(_ body: [UInt8]) -> [UInt8] {
        body.count > SandboxFrame.limit ? Array(body.prefix(SandboxFrame.limit)) : body
    }
}
