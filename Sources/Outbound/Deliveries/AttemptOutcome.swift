import HTTPClientPort

/// What the answer of a webhook says about the event that was sent, and about its target.
enum AttemptOutcome: Sendable, Hashable {
    /// The target took the event.
    case delivered
    /// The target cannot take this event: it is tried again a few times, other threads go on.
    case eventFailed
    /// The target never wants this event: it is not tried again.
    case eventRefused
    /// The target takes nothing now: everything waits.
    case targetFailed
    /// The target wants nothing more: it is disabled. `delivered` says whether it took this event.
    case targetGone(delivered: Bool)

    /// - Parameters:
    ///   - status: of the answer; nil when no whole answer came. A redirect is never followed, so it is a failure.
    ///   - instruction: the answer's header `webhook-delivery`, by which a receiver says more than the status does.
    init(webhookStatus status: Int?, instruction: String? = nil) {
        guard let status else {
            self = .targetFailed
            return
        }
        let isSuccess = (200..<300).contains(status)
        let instruction = instruction.flatMap { Instruction(rawValue: $0.trimmingOptionalSpace.lowercased()) }
        switch (status, instruction) {
        case (_, .disable), (410, _): self = .targetGone(delivered: isSuccess)
        case _ where isSuccess: self = .delivered
        case (_, .abortMessage): self = .eventRefused
        case (400, nil), (409, nil), (413, nil), (415, nil), (422, nil): self = .eventFailed
        default: self = .targetFailed
        }
    }

    private enum Instruction: String {
        case abortMessage = "abort-message"
        case disable
    }
}

/// Why an attempt had no answer, for the list of attempts.
enum AttemptError {
    /// One word, without a host, a path or anything of what was sent.
    static func word(for error: any Error) -> String {
        switch error {
        case is AddressRefusal: "addressRefused"
        case HTTPCallError.timeout: "timeout"
        case HTTPCallError.unknownHost: "unknownHost"
        case HTTPCallError.invalidURL: "invalidURL"
        case HTTPCallError.untrustedCertificate: "untrustedCertificate"
        case HTTPCallError.certificateOfAnotherHost: "certificateOfAnotherHost"
        default: "notConnected"
        }
    }
}
