import ChatModel
import MicroHTTP
import SandboxKit
import SendbirdWire

/// What the sandbox does where a fault asks for it.
extension SendbirdSandbox {
    /// The faults that it can cause, in the order in which they are told.
    static let faultKinds = FaultRunner.kindsOfRequests + FaultRunner.kindsOfCalls

    /// The answer to a request that a fault refuses.
    func refusal(of fault: Fault) -> HTTPResponse {
        let given = fault.errorCode.flatMap { Int($0) }.map(SendbirdErrorCode.init(rawValue:))
        let code = fault.kind == .limitRate ? .rateLimit : given ?? .internalError
        var answer = HTTPResponse.failure(SendbirdError(code, "The sandbox was asked to refuse this."))
        guard code == .rateLimit else { return answer }
        let end = store.environment.now().milliseconds / 1000 + 1
        answer.headers += [("X-RateLimit-RetryAfter", "1"), ("X-RateLimit-Reset", "\(end)")]
        if fault.kind == .limitRate {
            answer.headers += [("X-RateLimit-Limit", "\(fault.count ?? 1)"), ("X-RateLimit-Remaining", "0")]
        }
        return answer
    }
}
