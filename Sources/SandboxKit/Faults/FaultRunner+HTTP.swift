import HTTPRouting
import MicroHTTP

extension FaultRunner {
    /// What faults can do to requests over HTTP.
    package static let kindsOfRequests: [Fault.Kind] = [
        .refuse, .limitRate, .expirePage, .loseRequest, .lateDeed, .delayAnswer, .loseAnswer, .cutAnswer,
    ]
    private static let before: Set<Fault.Kind> = [.refuse, .limitRate, .expirePage, .loseRequest, .lateDeed]
    private static let after: Set<Fault.Kind> = [.delayAnswer, .loseAnswer, .cutAnswer]

    /// Answers a request over HTTP. A fault that names the operation may delay or replace the answer, or break the
    /// connection. Request and answer are kept as frames.
    ///
    /// - Parameters:
    ///   - operation: the route's operation, which stands for the event.
    ///   - customer: whom the request is about, as far as that is known.
    ///   - channel: finds the embedded channel, for the faults that name one.
    ///   - refusal: the platform's own error, for a fault that refuses the request.
    ///   - customerOf: reads the customer from the body of an answer, if the request tells none.
    ///   - unknown: called after the request was answered: the members of its body that the platform does not know.
    package func recorded(
        _ operation: String, _ request: HTTPRequest, customer: String?, channel: () async -> String?,
        refusal: (Fault) -> HTTPResponse, customerOf: ([UInt8]) -> String?,
        unknown: () -> [String] = { [] }, _ answer: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let number = frames.record(request, operation, customer)
        var occasion = FaultOccasion(customer: customer, channel: await channel(), event: operation)
        occasion.isReading = request.method == "GET"
        defer { observe(occasion, frame: number) }
        if let fault = meet(Self.before, occasion, .toSandbox, onlyNamed: true) {
            switch fault.kind {
            case .expirePage: _ = happenNow(fault)
            case .loseRequest: return .lost
            case .lateDeed:
                await doLate(request, after: fault.milliseconds, answer)
                return .lost
            default:
                let refused = refusal(fault)
                frames.record(refused, operation, customer, to: number)
                return refused
            }
        }
        do {
            let made = try await answer()
            let body = SandboxFrames.body(of: made)
            let fault = meet(Self.after, occasion, .toClient, { body }, onlyNamed: true)
            if let fault, fault.kind == .delayAnswer { await sleeps.sleep(fault.milliseconds) }
            if fault?.kind == .loseAnswer { return .lost }
            frames.record(made, operation, customer ?? customerOf(body), to: number, unknown: unknown())
            return fault?.kind == .cutAnswer ? made.cut(body) : made
        } catch {
            frames.record(error, operation, customer, to: number)
            throw error
        }
    }

    /// Does a request after so long, and at once if too much waits already. Nobody hears what became of it.
    private func doLate(
        _ request: HTTPRequest, after milliseconds: Int, _ answer: @escaping @Sendable () async throws -> HTTPResponse
    ) async {
        guard late.take(request) else {
            _ = try? await answer()
            return
        }
        let wait = sleeps.wait(milliseconds)
        Task {
            if await wait?.value == true { _ = try? await answer() }
            late.giveBack(request)
        }
    }
}

extension HTTPResponse {
    /// The connection closes without an answer.
    package static var lost: HTTPResponse { HTTPResponse(status: 503, body: .broken([], at: 0)) }

    /// Half of the answer.
    fileprivate func cut(_ body: [UInt8]) -> HTTPResponse {
        var answer = self
        answer.body = .broken(body, at: (body.count + 1) / 2)
        return answer
    }
}
