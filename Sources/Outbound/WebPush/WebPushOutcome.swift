import ChatModel

/// What a push service's answer means for a delivery and its device.
package enum WebPushOutcome: Sendable, Hashable {
    /// The service took it. Whether it was shown is never told.
    case delivered
    /// The subscription is no more: the device's endpoint and keys are erased.
    case gone
    /// This push can never be delivered; the device stays.
    case dead
    /// The same, for the service refuses who sends: its token, its key or its contact. See ``refusalLimit``.
    case deadAuthorization
    /// Later, and not before the time that the service named, if it named one.
    case retry(notBefore: Timestamp?)

    /// After so many ``deadAuthorization`` in a row the device is refused.
    package static let refusalLimit = 3

    /// - Parameters:
    ///   - status: of the answer; nil when none came.
    ///   - retryAfter: the header `Retry-After`, if any.
    package init(status: Int?, retryAfter: String?, now: Timestamp) {
        switch status {
        case .some(200..<300): self = .delivered
        // RFC 8030 says 404, the big services say 410.
        case 404, 410: self = .gone
        case 401, 403: self = .deadAuthorization
        // 406 is the answer of Windows' service to too many pushes. 408 is no answer, said by a proxy.
        case 406, 408, 429, .some(500...), nil:
            self = .retry(notBefore: retryAfter.flatMap { RetryAfterHeader.time($0, now: now) })
        // 400 and 413: a defect of this gateway. Redirects are not followed; none of the rest is better the next time.
        default: self = .dead
        }
    }

    /// How many ``deadAuthorization`` there were in a row, with this outcome as the last one.
    ///
    /// An outcome that says nothing of the authorization leaves the count as it was.
    package func authorizationFailures(after count: Int) -> Int {
        switch self {
        case .deadAuthorization: min(count, Self.refusalLimit) + 1
        case .delivered: 0
        case .gone, .dead, .retry: count
        }
    }
}
