import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// Remembers the newest requests, for `/v1/requests`. Any thread may use it.
///
/// Probes are not remembered, and neither are the requests by which this is asked, nor the readings of the inspector's
/// own page: they would push out all others.
package final class RequestRecorder: Sendable {
    /// The newest requests, in the order in which they ended.
    package let recent = RecentItems(limit: 500, blank: RequestRecord())
    /// The bodies, while somebody wants them.
    package let capture: RequestCapture
    /// The beginning of all request ids, random for each run, so that ids of two runs differ.
    private let run: String
    private let now: @Sendable () -> Timestamp
    /// Why requests are refused whose answers have not ended yet, by the request's number.
    private let refusals = Mutex<[UInt64: RequestRecord.Refusal]>([:])
    /// More are not kept: a request is forgotten when its answer has ended, so there are few.
    private static let refusalLimit = 4096

    init(run: String, now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>) {
        self.run = run
        self.now = now
        capture = RequestCapture(now: now, clock: clock)
    }

    /// The id that the gateway gives to the request with this number (``HTTPRequest/number``).
    func id(of request: UInt64) -> String { "\(run)-\(String(request, radix: 16))" }

    /// The client's own id of a request if it has one; otherwise the gateway's.
    package func id(of record: RequestRecord) -> String { record.ownID ?? id(of: record.request) }

    /// Notes why a request is refused; its answer has not been sent yet.
    func note(_ problem: Problem, for request: HTTPRequest?) {
        // The gateway asks itself under number 0, of which no end is told.
        guard let request, request.number > 0 else { return }
        refusals.withLock { refusals in
            guard refusals.count < Self.refusalLimit else { return }
            refusals[request.number] = RequestRecord.Refusal(
                code: problem.kind.code, detail: problem.detail.map { String($0.prefix(1024)) })
        }
    }

    /// Remembers a request whose answer has ended. On the way of each request: it allocates nothing for a head that
    /// came before on the connection.
    ///
    /// - Parameter ownID: the id that the client gave.
    func finished(_ summary: RequestSummary, _ findings: Findings) {
        let request = summary.request
        let refusal = summary.status >= 400 ? refusals.withLock { $0.removeValue(forKey: request.number) } : nil
        let route = findings.route
        if let route, route.isProbe || route.trace == .none { return }
        if isObserver(request, findings.checked?.holder) { return }
        let at = now().advanced(byMilliseconds: -Int64(summary.duration / .milliseconds(1)))
        let target = findings.keptTarget(of: request)
        recent.add { record in
            record.request = request.number
            record.ownID = findings.ownID
            record.at = at
            record.duration = summary.duration
            record.method = request.method
            record.route = route
            record.target = target
            record.status = summary.status
            record.received = summary.received
            record.sent = summary.bytes
            record.peer = request.peer
            record.credential = findings.checked?.holder.credential ?? RequestRecord.Credential.none
            record.refusal = refusal
        }
    }

    /// Whether the page that shows the requests has made it. Only a reading request with a login may say so.
    private func isObserver(_ request: HTTPRequest, _ holder: TokenAuthority.Holder?) -> Bool {
        guard case .login = holder?.proof, request.method == "GET" else { return false }
        return request.headers["Parley-Observer"] != nil
    }
}

extension TokenAuthority.Holder {
    /// What the request has said who makes it.
    var credential: RequestRecord.Credential {
        switch identity {
        case .nobody: .none
        case .session(let id): .session(id)
        case .key(let id): .key(id)
        case .person(let id, _): .person(id)
        case .operator: .page
        case .gateway: proof == .user ? .user : .gateway
        }
    }
}
