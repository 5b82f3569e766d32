import ChatModel
import HTTPRouting
import MicroHTTP
import Synchronization

/// Ends what a credential has opened when the credential ends: streams, and requests that wait. Any thread may use it.
final class AccessWatch: Sendable {
    private struct Opened {
        let holder: TokenAuthority.Holder
        let end: @Sendable () -> Void
    }

    private struct State {
        var opened: [Identity: [Int: Opened]] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Registers something that is open. Give the number to ``forget(_:of:)`` when it has ended.
    ///
    /// - Parameter end: called once when the credential has ended, on the thread that has ended it.
    func add(_ holder: TokenAuthority.Holder, end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.opened[holder.identity, default: [:]][state.count] = Opened(holder: holder, end: end)
            return state.count
        }
    }

    func forget(_ number: Int, of identity: Identity) {
        state.withLock { state in
            state.opened[identity]?[number] = nil
            if state.opened[identity]?.isEmpty == true { state.opened[identity] = nil }
        }
    }

    /// Ends what was opened by credentials that are not valid any more.
    ///
    /// - Parameter identity: looks at what this one has opened; nil looks at all.
    func review(_ identity: Identity? = nil, isCurrent: (TokenAuthority.Holder) -> Bool) {
        let opened = state.withLock { state in
            identity.map { state.opened[$0].map { Array($0.values) } ?? [] } ?? state.opened.values.flatMap(\.values)
        }
        for each in opened where !isCurrent(each.holder) { each.end() }
    }

    /// Ends what an identity has opened, although its credential is valid still: it may do something else from now on.
    func end(_ identity: Identity) { review(identity) { _ in false } }

    /// How many things are open that it would end.
    var count: Int { state.withLock { $0.opened.values.reduce(0) { $0 + $1.count } } }
}

extension Identity {
    /// Whether what it opens is watched. A session's streams are told of its end by the hub.
    var isWatched: Bool {
        switch self {
        case .gateway, .key, .operator, .person: true
        case .nobody, .session: false
        }
    }
}

extension GatewayCore {
    /// Ends what was opened by credentials of this identity, or of all, that are not valid any more.
    func reviewAccess(of identity: Identity? = nil) { access.review(identity, isCurrent: isValid) }

    /// Whether the credential has ended since the gate let a request pass, or a person may do something else now. A key's
    /// rights stay as they are.
    func mayDoLess(than checked: Findings.Checked) -> Bool {
        if !isValid(checked.holder) { return true }
        guard case .person = checked.holder.identity else { return false }
        return rights(of: checked.holder.identity) !== checked.rights
    }

    /// Runs what answers a request that waits. When the credential ends meanwhile, the answer is that.
    func whileValid(
        _ checked: Findings.Checked, _ work: @escaping @Sendable () async -> HTTPResponse,
        refusal: () -> HTTPResponse
    ) async -> HTTPResponse {
        let holder = checked.holder
        let task = Task(operation: work)
        let number = access.add(holder) { task.cancel() }
        defer { access.forget(number, of: holder.identity) }
        if mayDoLess(than: checked) { task.cancel() }
        let answer = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return isValid(holder) ? answer : refusal()
    }
}

/// A stream that ends with the credential that has opened it. The last event says why. A document in pieces breaks off.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
package final class WatchedStream: EventSource, @unchecked Sendable {
    /// What it watches over.
    package let source: any EventSource
    private let core: GatewayCore
    private let checked: Findings.Checked
    private let framing: EventFraming?
    private var stream: EventStream?
    private var number: Int?
    private var hasEnded = false

    /// - Parameters:
    ///   - checked: what the gate has found.
    ///   - framing: of events; nil for a document in pieces, such as an export.
    init(_ source: any EventSource, core: GatewayCore, _ checked: Findings.Checked, framing: EventFraming?) {
        self.source = source
        self.core = core
        self.checked = checked
        self.framing = framing
    }

    package func opened(_ stream: EventStream) {
        self.stream = stream
        let end = { @Sendable [weak self, core] in
            guard let stream = self else { return }
            core.life.loop?.execute { stream.end() }
        }
        number = core.access.add(checked.holder) { end() }
        source.opened(stream)
        // It may have ended between the gate and now.
        if core.mayDoLess(than: checked) { end() }
    }

    private func end() {
        hasEnded = true
        stream?.wake()
    }

    package func fill(_ out: inout EventBuffer) -> EventProgress {
        // Nothing is told after the credential's time, although the stream may be closed later.
        if !hasEnded, core.hasLapsed(checked.holder) { hasEnded = true }
        guard hasEnded else { return source.fill(&out) }
        if let framing {
            let holder = checked.holder
            let reason = core.isValid(holder) ? .changed : core.accessEnd(of: holder)
            out.append(AccessEndedEvent(reason: reason), id: "", as: framing)
        } else {
            source.draining(&out)
        }
        return .end
    }

    package func blocked() { source.blocked() }
    package func heartbeat(_ out: inout EventBuffer) { source.heartbeat(&out) }
    package func draining(_ out: inout EventBuffer) { source.draining(&out) }

    package func closed(_ reason: StreamEnd) {
        if let number { core.access.forget(number, of: checked.holder.identity) }
        stream = nil
        source.closed(reason)
    }
}
