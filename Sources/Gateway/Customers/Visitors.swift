import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// What the gateway remembers of customers who begin by themselves: how many began, which tasks were solved, which anonymous
/// JWTs were used. All of it is in memory. Any thread may use it.
final class Visitors: Sendable {
    /// What the ids of customers begin with of whom nothing is known.
    static let prefix = "visitor-"

    /// How many tasks one address gets.
    private static let challenges = Rate(burst: 60, perHour: 3_600)
    /// Milliseconds for which an anonymous JWT is remembered: as long as one may be valid.
    private static let memory: Int64 = 25 * 3_600_000
    private static let capacity = 65_536

    private enum Key: Hashable {
        case minute(address: String), hour(address: String)
        /// Before everybody has to work for it; and at all.
        case easy(channel: String), all(channel: String)
        case task(address: String)
    }

    private struct State {
        var begun = RateBook<Key>(capacity: Visitors.capacity)
        /// When each used JWT is forgotten.
        var used: [String: Int64] = [:]
    }

    let proofs: ProofOfWork
    private let uptime: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameter uptime: microseconds on a clock that never goes back.
    init(tokens: TokenAuthority, uptime: @escaping @Sendable () -> Int64) {
        proofs = ProofOfWork(tokens: tokens)
        self.uptime = uptime
    }

    /// Counts a try of an address. Throws `tooManyVisitors`.
    ///
    /// - Parameter address: nil where it tells nothing: on this machine, and behind a proxy that names nobody.
    func countTry(from address: String?, _ limits: VisitorLimits) throws(Problem) {
        guard let address else { return }
        let (minute, hour) = (limits[.addressBeginsPerMinute], limits[.addressBeginsPerHour])
        try countOrThrow(.minute(address: address), Rate(burst: minute, perHour: minute * 60))
        try countOrThrow(.hour(address: address), Rate(burst: hour, perHour: hour))
    }

    /// Whether so many begin on the channel that each has to work.
    func isCrowded(_ channel: String, _ limits: VisitorLimits) -> Bool {
        let now = uptime()
        return state.withLock { $0.begun.wait(of: .easy(channel: channel), at: now, Self.easy(limits)) } != nil
    }

    private static func easy(_ limits: VisitorLimits, times factor: Int = 1) -> Rate {
        let count = limits[.channelBeginsPerHour] * factor
        return Rate(burst: count, perHour: count)
    }

    /// Counts that somebody begins on the channel, who has shown all that it asks for: what is refused before must not close
    /// the channel to others. Throws `tooManyVisitors`.
    func countBegin(on channel: String, _ limits: VisitorLimits) throws(Problem) {
        try countOrThrow(.all(channel: channel), Self.easy(limits, times: 10))
        _ = count(.easy(channel: channel), Self.easy(limits))
    }

    /// Counts that somebody asks for a task. Throws `tooManyVisitors`.
    func countChallenge(from address: String?) throws(Problem) {
        if let address { try countOrThrow(.task(address: address), Self.challenges) }
    }

    /// Counts a JWT that names nobody. Returns false if it was used before.
    func use(token id: String, on channel: String, at now: Timestamp) -> Bool {
        state.withLock { state in
            let name = "\(channel)\u{0}\(id)"
            if state.used.count >= Self.capacity { state.used = state.used.filter { $0.value > now.milliseconds } }
            guard state.used.count < Self.capacity, state.used[name].map({ $0 <= now.milliseconds }) ?? true else {
                return false
            }
            state.used[name] = now.milliseconds + Self.memory
            return true
        }
    }

    /// Counts a try. Returns the microseconds to wait where it is refused.
    private func count(_ key: Key, _ rate: Rate) -> Int64? {
        let now = uptime()
        return state.withLock { $0.begun.countTry(key, at: now, rate) }
    }

    /// Counts a try. Throws `tooManyVisitors` where it is refused.
    private func countOrThrow(_ key: Key, _ rate: Rate) throws(Problem) {
        guard let wait = count(key, rate) else { return }
        throw Problem(
            .tooManyVisitors, "\(rate.burst) chats may be begun at once here, and \(rate.perHour) an hour.",
            retryAfter: Int((wait + 999_999) / 1_000_000))
    }
}

extension GatewayCore {
    /// By which address chats that are begun are counted; nil where it tells nothing of the customer.
    func visitorAddress(of request: HTTPRequest) -> String? {
        guard case .tcp(let address) = peer(of: request) else { return nil }
        return address.isLoopback ? nil : address.network
    }
}

/// What a visitor's own token may do less than others. A key, a person and the gateway's token are not bounded, whose
/// session it may be. Neither is a session of a link: somebody with a right to it has chosen its customer.
extension Call {
    /// The session that asks with its own token, if a visitor has begun it; nil for all other callers.
    var visitor: ChatClient? { core.visitor(identity) }

    /// What the visitor may do; nil for all other callers.
    var visitorLimits: VisitorLimits? { visitor.map { core.visitorSettings.limits(of: $0.channel.id) } }

    /// Throws `textTooLong` for more than a visitor may write at once.
    func checkLength(of text: String?) throws(ChatError) {
        guard let text, let most = visitorLimits?[.messageBytes], text.utf8.count > most else { return }
        throw ChatError(.textTooLong, "A visitor's text has at most \(most) bytes of UTF-8.", pointer: "/text")
    }

    /// Throws `notAllowed` where a visitor wants an e-mail sent to an address that is not known to be their own.
    func checkRecipient(_ address: String) async throws {
        guard let visitor else { return }
        let customer = try await visitor.customer().customer
        guard customer.isVerified, let own = customer.email, own.lowercased().hasSameBytes(as: address.lowercased())
        else { throw Problem(.notAllowed, "A visitor gets e-mails only at the address that a JWT has named.") }
    }

    /// The same answer, whose stream has one of the visitor's places. Throws `tooManyStreams`.
    func placed(_ answer: HTTPResponse) throws(Problem) -> HTTPResponse {
        guard let visitor, let limits = visitorLimits, case .events(let source) = answer.body else { return answer }
        var answer = answer
        let place = try core.visitorBounds.openStream(
            of: visitor.id, from: core.visitorAddress(of: request), limits)
        answer.body = .events(PlacedStream(source, at: place))
        return answer
    }
}

extension GatewayCore {
    /// The session of this identity, if a visitor has begun it.
    func visitor(_ identity: Identity) -> ChatClient? {
        guard case .session(let id) = identity, let client = sessions.client(id), client.term.kind == .visitor else {
            return nil
        }
        return client
    }

    /// Counts what a session's token is about to write. Throws `tooManyWrites`.
    func countWriting(of session: String, _ head: HTTPRequest, _ writing: Writing) throws(Problem) {
        let visitor = visitor(.session(session))
        if let visitor {
            let limits = origins.limits(of: visitor.channel.id)
            switch writing {
            case .messages:
                try visitorBounds.takeMessage(of: session, from: visitorAddress(of: head), limits)
            case .uploads:
                let largest = min(visitor.channel.fileRestrictions.maximumSize, FileRestrictions.embedded.maximumSize)
                try visitorBounds.takeUpload(
                    of: session, bytes: head.headers["Content-Length"].flatMap { Int64($0) }, largest: largest, limits)
            case .threads, .changes: break
            }
        }
        try self.writing.countWrite(writing, session: session, isVisitor: visitor != nil)
    }
}
