extension AttemptOutcome {
    /// - Parameter status: of a push service's answer (RFC 8030).
    init(webPushStatus status: Int) {
        self =
            switch status {
            case 200..<300: .delivered
            // RFC 8030 says 404, the big services say 410.
            case 404, 410: .gone
            case 401, 403: .deadAuthorization
            // 406 is the answer of Windows' service to too many pushes. 408 is no answer, said by a proxy.
            case 406, 408, 429, 500...: .targetFailed
            // 400 and 413: a defect of this gateway. Redirects are not followed; none of the rest is better the next
            // time.
            default: .eventRefused
            }
    }
}
