/// Why a call has no answer. No case holds a URL, a header or a body.
public enum HTTPCallError: Error, Sendable, Equatable {
    /// The call's time was over.
    case timeout
    /// The URL is none of `http` or `https` with a host.
    case invalidURL
    /// The host's name has no address.
    case unknownHost
    /// The other side ended the call before its answer.
    case noAnswer
}
