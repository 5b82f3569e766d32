import HTTPRouting
import MicroHTTP

extension FaultRunner {
    /// Answers a request over HTTP. A fault that names the operation may delay or replace the answer. Both are kept as
    /// frames.
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
        unknown: () -> [String] = { [] }, _ answer: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let number = frames.record(request, operation, customer)
        let occasion = FaultOccasion(customer: customer, channel: await channel(), event: operation)
        defer { observe(occasion, frame: number) }
        if let fault = meet([.refuse], occasion, .toSandbox, onlyNamed: true) {
            let refused = refusal(fault)
            frames.record(refused, operation, customer, to: number)
            return refused
        }
        do {
            let made = try await answer()
            if let fault = meet([.delayAnswer], occasion, .toClient, onlyNamed: true) {
                await sleeps.sleep(fault.milliseconds, of: [fault.id])
            }
            frames.record(
                made, operation, customer ?? customerOf(SandboxFrames.body(of: made)), to: number, unknown: unknown())
            return made
        } catch {
            frames.record(error, operation, customer, to: number)
            throw error
        }
    }
}
