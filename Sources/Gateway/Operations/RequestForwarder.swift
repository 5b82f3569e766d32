import MicroHTTP

/// Passes requests of a standby on to the active gateway.
public protocol RequestForwarder: Sendable {
    /// Whether an active gateway is known to which requests can go. On the loop's thread.
    var hasTarget: Bool { get }

    /// Begins to pass on a request with a body that is not in memory: the sink takes the body, and the request then comes
    /// to ``answer(to:adding:)`` with it.
    ///
    /// - Parameter fields: header fields in addition to the request's own.
    func sink(for head: HTTPRequest, adding fields: [(String, String)], flow: BodyFlow) -> any BodySink

    /// The active gateway's answer. It ends soon after its task was cancelled.
    func answer(
        to request: HTTPRequest, adding fields: [(String, String)]
    ) async throws(ForwardingFailure)
        -> HTTPResponse
}

/// Why a request that was to be passed on has no answer.
public enum ForwardingFailure: Error, Sendable {
    /// The active gateway takes no connection: nothing was done.
    case untaken
    /// The active gateway is gone before its answer: what was asked for may have been done.
    case unanswered
}
