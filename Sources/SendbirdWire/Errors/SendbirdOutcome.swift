/// What became of a request, as far as its answer tells.
package enum SendbirdOutcome: Sendable, Equatable {
    /// It was done. The body tells more.
    case done
    /// It was not done, for good.
    case refused(SendbirdError)
    /// It was not done, for there were too many; it may be repeated as it is, after this time if one was told.
    case limited(afterSeconds: Int?)
    /// It may have been done or not.
    case unknown

    /// - Parameters:
    ///   - retryAfter: the header `X-RateLimit-RetryAfter`.
    package init(status: Int, body: [UInt8], retryAfter: String? = nil) {
        let error = try? SendbirdError(answer: body)
        if status == 429 || error?.code == .rateLimit {
            // A day at most: whatever is told beyond is no time to wait.
            let seconds = retryAfter.flatMap { Int($0) }.flatMap { (0...86_400).contains($0) ? $0 : nil }
            self = .limited(afterSeconds: seconds)
        } else if (200..<300).contains(status) {
            self = .done
        } else if (400..<500).contains(status), let error {
            self = .refused(error)
        } else {
            self = .unknown
        }
    }
}
