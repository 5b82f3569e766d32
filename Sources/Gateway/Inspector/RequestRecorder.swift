import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// Remembers the newest requests, for `/v1/requests`. Any thread may use it.
///
/// Probes are not remembered, and neither are the requests by which this is asked, nor the readings of the inspector's
/// own page: they would push out all others.
final class RequestRecorder: Sendable {
    /// The newest requests, in the order in which they ended.
    let recent = RecentItems(limit: 500, blank: RequestRecord())
    /// The bodies, while somebody wants them.
    let capture: RequestCapture
    private let now: @Sendable () -> Timestamp
    /// Why requests are refused whose answers have not ended yet, by the request's number.
    private let refusals = Mutex<[UInt64: RequestRecord.Refusal]>([:])
    /// More are not kept: a request is forgotten when its answer has ended, so there are few.
    private static let refusalLimit = 4096

    init(now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>) {
        self.now = now
        capture = RequestCapture(now: now, clock: clock)
    }

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
        let placed = findings.placed
        if let placed, placed.route.isProbe || placed.route.trace == .none { return }
        if isObserver(request, findings.checked?.holder) { return }
        let at = now().advanced(byMilliseconds: -Int64(summary.duration / .milliseconds(1)))
        let target = findings.keptTarget(of: request)
        recent.add { record in
            record.request = request.number
            record.ownID = findings.ownID
            record.at = at
            record.duration = summary.duration
            record.method = request.method
            record.route = placed
            record.target = target
            record.status = summary.status
            record.received = summary.received
            record.sent = summary.bytes
            record.peer = request.peer
            record.credential = findings.checked?.holder.credential ?? RequestRecord.Credential.none
            record.refusal = refusal
        }
    }

    /// Whether the page that shows the requests has made it. Only a reading request with the page cookie may say so.
    private func isObserver(_ request: HTTPRequest, _ holder: TokenAuthority.Holder?) -> Bool {
        guard holder?.proof == .cookie, request.method == "GET" else { return false }
        return request.headers["Parley-Observer"] != nil
    }
}

extension TokenAuthority.Holder {
    /// What the request has said who makes it.
    var credential: RequestRecord.Credential {
        switch (identity, proof) {
        case (.nobody, _): .none
        case (.session(let id), _): .session(id)
        case (.gateway, .token): .gateway
        case (.gateway, .cookie): .page
        case (.gateway, .user): .user
        }
    }
}
