import Bounds
import Synchronization

/// A call of a program, which a platform makes when something has happened: its webhook.
package struct ProgramCall: Sendable {
    /// What has happened, in the platform's words. It stands for the event.
    package var category: String
    /// The thread's id on the embedded service. The platform calls a thread a channel.
    package var channel: String
    package var url: String
    package var body: [UInt8]

    package init(category: String, channel: String, url: String, body: [UInt8]) {
        (self.category, self.channel, self.url, self.body) = (category, channel, url, body)
    }

    /// About what it takes in memory, in bytes.
    fileprivate var weight: Int { 256 + category.utf8.count + channel.utf8.count + url.utf8.count + body.count }
}

/// The calls that wait for the one that follows them, by the URL. May be used from any task.
package final class HeldCalls: Sendable {
    private let state = Mutex((calls: [String: [ProgramCall]](), bytes: 0))
    /// The most that wait at one URL.
    private static let most = 10

    package init() {}

    /// False if too many wait there, or all together are too large.
    fileprivate func add(_ call: ProgramCall) -> Bool {
        state.withLock { state in
            guard state.calls[call.url, default: []].count < Self.most,
                state.bytes + call.weight <= ByteBound.heldCalls.bytes
            else { return false }
            state.calls[call.url, default: []].append(call)
            state.bytes += call.weight
            return true
        }
    }

    fileprivate func take(at url: String) -> [ProgramCall] {
        state.withLock { state in
            let taken = state.calls.removeValue(forKey: url) ?? []
            state.bytes -= taken.reduce(0) { $0 + $1.weight }
            return taken
        }
    }
}

extension FaultRunner {
    /// What faults can do to calls of programs.
    package static let kindsOfCalls: [Fault.Kind] = [
        .dropWebhook, .delayPush, .duplicatePush, .reorderPush, .badSignature,
    ]

    /// Sends a call as the faults of now let it go. Each sending and its answer are kept as frames. A call that is sent
    /// again after it was refused is a call anew.
    ///
    /// - Parameters:
    ///   - held: those that were held back before.
    ///   - send: sends a call, and returns the status and the beginning of the answer, or why there is none.
    /// - Returns: the answer to the call itself; nil if it was not sent, and nobody may know that.
    package func send<Answer>(
        _ call: ProgramCall, held: HeldCalls, _ send: (_ call: ProgramCall, _ isForged: Bool) async -> Answer,
        shown: (Answer) -> (status: Int?, text: [UInt8])
    ) async -> Answer? {
        let occasion = FaultOccasion(channel: call.channel, event: call.category)
        let fault = meet(Set(Self.kindsOfCalls), occasion, .toClient, { call.body })
        switch fault?.kind {
        case .dropWebhook: return nil
        case .reorderPush where held.add(call): return nil
        case .delayPush: if let fault { await sleeps.sleep(fault.milliseconds) }
        default: break
        }
        let answer = await sendOnce(call, isForged: fault?.kind == .badSignature, send, shown)
        if fault?.kind == .duplicatePush { _ = await sendOnce(call, isForged: false, send, shown) }
        for earlier in held.take(at: call.url) { _ = await sendOnce(earlier, isForged: false, send, shown) }
        return answer
    }

    private func sendOnce<Answer>(
        _ call: ProgramCall, isForged: Bool, _ send: (_ call: ProgramCall, _ isForged: Bool) async -> Answer,
        _ shown: (Answer) -> (status: Int?, text: [UInt8])
    ) async -> Answer {
        let number = frames.record(call)
        let answer = await send(call, isForged)
        let (status, text) = shown(answer)
        frames.record(status, text, to: call, number)
        observe(FaultOccasion(channel: call.channel, event: call.category), frame: number)
        return answer
    }
}
