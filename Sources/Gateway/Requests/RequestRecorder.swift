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
    func noteRefusal(_ problem: Problem, for request: HTTPRequest?) {
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

/// What is remembered of one answered request. It has no body, no header and no token.
package struct RequestRecord: Sendable {
    /// What a request says who makes it.
    package enum Credential: Sendable, Equatable {
        /// Nothing that the gateway has looked at, or what it did not accept.
        case none
        /// The gateway's token.
        case gateway
        /// The login of a browser.
        case page
        /// No token, but a user whom the gateway trusts, over a UNIX socket.
        case user
        case session(String)
        case key(String)
        case person(String)

        var name: String {
            switch self {
            case .none: "none"
            case .gateway: "gateway"
            case .page: "page"
            case .user: "user"
            case .session: "session"
            case .key: "key"
            case .person: "person"
            }
        }
    }

    /// Why a request was refused.
    package struct Refusal: Sendable, Equatable {
        var code: String
        var detail: String?
    }

    /// The server's number of the request; ids are made of it.
    package var request: UInt64 = 0
    /// The id that the client gave; nil if the gateway made it.
    var ownID: String?
    /// When its head was there.
    var at = Timestamp(milliseconds: 0)
    var duration = Duration.zero
    package var method = ""
    /// Nil without a route.
    package var route: Route?
    /// Path and query, as far as they may be kept.
    package var target = KeptTarget()
    /// 0: the connection failed before the answer.
    var status = 0
    /// Bytes of the bodies.
    package var received = 0
    var sent = 0
    var peer = Peer.unix(uid: 0)
    var credential = Credential.none
    var refusal: Refusal?
}

/// A request's path, with those parameters of the query that the route knows. So a token that somebody puts into a query
/// is not kept. Of an open route whose path is a secret only the template is kept.
package struct KeptTarget: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// Whether this is what the client sent.
    package private(set) var isWhole = true

    /// The longest path and query that are kept, in bytes.
    private static let longest = 2048

    init() {}

    init(of request: HTTPRequest, _ route: Route?) {
        if let route, route.access == .open, route.trace == .secret {
            bytes.append(contentsOf: route.template.utf8)
            isWhole = !bytes.contains(UInt8(ascii: "{"))
            return
        }
        request.withTarget { bytes, pathEnd in
            let path = UnsafeRawBufferPointer(rebasing: bytes[..<pathEnd])
            if route == nil, let folder = Self.secretFolders.first(where: { path.starts(with: $0.utf8) }) {
                self.bytes.append(contentsOf: folder.utf8)
                isWhole = false
                return
            }
            append(path)
            guard pathEnd < bytes.count else { return }
            keepQuery(UnsafeRawBufferPointer(rebasing: bytes[(pathEnd + 1)...]), route?.query ?? .any)
        }
    }

    /// Below are codes that sign somebody in.
    private static let secretFolders = ["/auth/", "/welcome/"]

    private mutating func keepQuery(_ query: UnsafeRawBufferPointer, _ known: KnownParameters) {
        guard case .only(let names, let repeatable, _) = known else {
            isWhole = false
            return
        }
        var start = 0
        var mark = UInt8(ascii: "?")
        while start <= query.count {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.count
            let pair = UnsafeRawBufferPointer(rebasing: query[start..<end])
            let name = UnsafeRawBufferPointer(
                rebasing: pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.count)])
            if names.contains(where: { name.elementsEqual($0.utf8) })
                || repeatable.contains(where: { name.elementsEqual($0.utf8) })
            {
                append(mark)
                append(pair)
                mark = UInt8(ascii: "&")
            } else {
                isWhole = false
            }
            start = end + 1
        }
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < Self.longest { bytes.append(byte) } else { isWhole = false }
    }

    private mutating func append(_ part: UnsafeRawBufferPointer) {
        let room = Self.longest - bytes.count
        if part.count > room { isWhole = false }
        bytes.append(contentsOf: part.prefix(room))
    }
}

extension RequestRecord {
    /// Writes the record as the API shows it (the schema `RequestEntry`), without braces.
    package func encode(number: Int, id: String, to json: inout JSONWriter) {
        json.member("number", number)
        json.member("id", id)
        json.member("at", at)
        json.member("method", method)
        json.member("route", route?.template)
        json.member("operation", route?.operationID)
        json.member("path", String(decoding: target.bytes, as: UTF8.self))
        if !target.isWhole { json.member("isCut", true) }
        json.member("status", status)
        json.member("microseconds", Int(duration / .microseconds(1)))
        json.member("received", received)
        json.member("sent", sent)
        json.member("peer", peer.description)
        json.member("token", credential.name)
        if case .session(let id) = credential { json.member("session", id) }
        if case .key(let id) = credential { json.member("key", id) }
        if case .person(let id) = credential { json.member("person", id) }
        if let refusal {
            json.name("problem")
            json.beginObject()
            json.member("code", refusal.code)
            json.member("detail", refusal.detail)
            json.endObject()
        }
    }
}
