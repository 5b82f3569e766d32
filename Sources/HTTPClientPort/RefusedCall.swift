import AsyncHTTPClient
import NIOHTTP2

/// A call that met a connection which the other side was winding up (HTTP/2 GOAWAY), or that the other side refused
/// (RST_STREAM with REFUSED_STREAM).
///
/// The other side has processed nothing of it, so it may be made again, whatever its method is (RFC 9113, 8.7). One case
/// cannot be told from that: NIO says CANCEL of a stream that GOAWAY drops, and a server may also reset a stream with
/// CANCEL after it has looked at it. So only those should repeat a call for whom it is no harm when it arrives twice.
enum RefusedCall {
    /// True if the error of a call means that.
    static func isMeant(by error: any Error) -> Bool {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed: error.errorCode == .refusedStream || error.errorCode == .cancel
        case let error as NIOHTTP2Errors.StreamError: isMeant(by: error.baseError)
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: true
        // The client closed the connection after GOAWAY, and the call came to it too late to be written.
        case let error as HTTPClientError: error == .cancelled
        default: false
        }
    }
}
