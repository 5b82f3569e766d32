import ChatModel
import Testing

@testable import Chat

/// The transitions of the SDK, row by row.
@Suite struct ConnectionMachineTests {
    typealias Input = ConnectionMachine.Input
    typealias Effect = ConnectionMachine.Effect

    static let failure = ChatError(.serverError, "as scripted")
    static let noThread = ChatError(.recoveringThreadFailed, "There is no thread yet.")
    static let lost = ChatError(.notConnected, "The connection to the service was lost.")
    static let disconnected = ChatError(.notConnected, "The session was disconnected.")
    static let firstDelay = Effect.scheduleRetry(.milliseconds(1300))

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var before: [Input]
        var input: Input
        var state: ChatState
        var effects: [Effect]

        init(_ name: String, _ before: [Input], _ input: Input, _ state: ChatState, _ effects: [Effect]) {
            (self.name, self.before, self.input, self.state, self.effects) = (name, before, input, state, effects)
        }
        var testDescription: String { name }
    }

    static let multi: [Input] = [.prepare(connects: false), .prepared(.multithread)]
    static let single: [Input] = [.prepare(connects: false), .prepared(.singlethread)]
    static let live: [Input] = [.prepare(connects: false), .prepared(.liveChat)]
    static let opened: [Input] = [.connect, .online, .opened]
    static let preparing: [Input] = [.prepare(connects: false)]
    static let offline: [Input] = live + [.connect, .offline]
    static let restored: [Input] = [.restore(connects: true)]
    static let final = ChatError(.transactionTokenExpired, "as scripted")
    static let secondDelay = Effect.scheduleRetry(.milliseconds(1690))
    /// What follows a failed attempt.
    static let tryAgain: [Effect] = [firstDelay, .publishState, .settled(failure)]

    static let rows: [Row] = [
        Row("initial: prepare", [], .prepare(connects: false), .preparing, [.fetchConfiguration]),
        Row("initial: connect prepares first", [], .connect, .preparing, [.fetchConfiguration]),
        Row("prepared: prepare", multi, .prepare(connects: false), .preparing, [.fetchConfiguration]),
        Row("offline: prepare", offline, .prepare(connects: false), .preparing, [.cancelRetry, .fetchConfiguration]),
        Row("preparing: prepare is silent", preparing, .prepare(connects: false), .preparing, []),
        Row("preparing: success", preparing, .prepared(.liveChat), .prepared, [.publishState, .settled(nil)]),
        Row(
            "preparing: success, connects", [.prepare(connects: true)], .prepared(.liveChat), .prepared,
            [.publishState, .checkAvailability]),
        Row(
            "preparing: told to connect meanwhile", preparing + [.connect], .prepared(.liveChat), .prepared,
            [.publishState, .checkAvailability]),
        Row("preparing: failure is tried again", preparing, .prepareFailed(failure), .preparing, tryAgain),
        Row(
            "preparing: fails again", preparing + [.prepareFailed(failure), .retryDue], .prepareFailed(failure),
            .preparing,
            [secondDelay, .publishState, .settled(failure)]),
        Row(
            "preparing: what cannot be mended is not tried again", preparing, .prepareFailed(final), .initial,
            [.publishState, .publishError(final), .settled(final)]),
        Row(
            "preparing: an attempt is due", preparing + [.prepareFailed(failure)], .retryDue, .preparing,
            [.fetchConfiguration]),
        Row(
            "preparing: connect tries at once", preparing + [.prepareFailed(failure)], .connect, .preparing,
            [.cancelRetry, .fetchConfiguration]),
        Row("preparing: disconnect", preparing, .disconnect, .initial, [.settled(disconnected)]),
        Row(
            "preparing: disconnect between attempts", preparing + [.prepareFailed(failure)], .disconnect, .initial,
            [.cancelRetry, .publishState, .settled(disconnected)]),
        Row(
            "preparing: not stored", [.prepare(connects: true)], .connectNotStored(failure), .initial,
            [.settled(failure)]),
        Row("initial: a late answer to prepare", preparing + [.disconnect], .prepared(.liveChat), .initial, []),
        Row(
            "initial: an attempt that is due too late", preparing + [.prepareFailed(failure), .disconnect], .retryDue,
            .initial, []),
        Row("prepared: connect asks", live, .connect, .prepared, [.checkAvailability]),
        Row(
            "prepared: connect, not stored", live + [.connect], .connectNotStored(failure), .prepared,
            [.settled(failure)]),
        Row(
            "connecting: connect, not stored", multi + [.connect, .online, .openFailed(failure), .connect],
            .connectNotStored(failure),
            .prepared, [.cancelRetry, .publishState, .settled(failure)]),
        Row(
            "prepared: connect, offline", live + [.connect], .offline, .offline,
            [firstDelay, .publishState, .settled(nil)]),
        Row("offline: asks again when it is due", offline, .retryDue, .offline, [.checkAvailability]),
        Row(
            "offline: still offline", offline + [.retryDue], .offline, .offline,
            [secondDelay, .publishState, .settled(nil)]),
        Row("offline: online at last", offline + [.retryDue], .online, .connecting, [.publishState, .open]),
        Row(
            "offline: not known", offline + [.retryDue], .availabilityFailed(failure), .offline,
            [secondDelay, .publishState, .settled(failure)]),
        Row("offline: connect asks at once", offline, .connect, .offline, [.cancelRetry, .checkAvailability]),
        Row("offline: connect twice asks once", offline + [.connect], .connect, .offline, []),
        Row("offline: disconnect", offline, .disconnect, .prepared, [.cancelRetry, .publishState]),
        Row("prepared: connect, not known", live + [.connect], .availabilityFailed(failure), .connecting, tryAgain),
        Row(
            "connecting: asks first", live + [.connect, .availabilityFailed(failure)], .retryDue, .connecting,
            [.checkAvailability]),
        Row(
            "connecting: online after all", live + [.connect, .availabilityFailed(failure), .retryDue], .online,
            .connecting, [.open]),
        Row(
            "connecting: offline after all", live + [.connect, .availabilityFailed(failure), .retryDue], .offline,
            .offline,
            [firstDelay, .publishState, .settled(nil)]),
        Row("prepared: connect, online", multi + [.connect], .online, .connecting, [.publishState, .open]),
        Row("prepared: connect twice asks once", multi + [.connect], .connect, .prepared, []),
        Row("prepared: asking, disconnect", multi + [.connect], .disconnect, .prepared, [.settled(disconnected)]),
        Row(
            "prepared: asking, prepare", multi + [.connect], .prepare(connects: false), .preparing,
            [.settled(disconnected), .fetchConfiguration]),
        Row("prepared: disconnected, a late answer", multi + [.connect, .disconnect], .online, .prepared, []),
        Row("connecting: connect is silent", multi + [.connect, .online], .connect, .connecting, []),
        Row(
            "connecting: open, many threads", multi + [.connect, .online], .opened, .connected,
            [.publishState, .loadThreads]),
        Row(
            "connecting: open, single thread", single + [.connect, .online], .opened, .connected,
            [.publishState, .recoverThread]),
        Row(
            "connecting: open, live chat", live + [.connect, .online], .opened, .connected,
            [.publishState, .recoverThread]),
        Row(
            "connecting: failure is tried again", multi + [.connect, .online], .openFailed(failure), .connecting,
            tryAgain),
        Row(
            "connecting: fails again", multi + [.connect, .online, .openFailed(failure), .retryDue],
            .openFailed(failure), .connecting,
            [secondDelay, .publishState, .settled(failure)]),
        Row(
            "connecting: what cannot be mended is not tried again", multi + [.connect, .online], .openFailed(final),
            .prepared,
            [.publishState, .publishError(final), .settled(final)]),
        Row(
            "connecting: connect between attempts tries at once", multi + [.connect, .online, .openFailed(failure)],
            .connect, .connecting,
            [.cancelRetry, .open]),
        Row(
            "connecting: disconnect", multi + [.connect, .online], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("prepared: opened too late", multi + [.connect, .online, .disconnect], .opened, .prepared, [.close]),
        Row(
            "connected: loading fails", multi + opened, .loadFailed(failure), .connecting,
            [.close, .failPending] + tryAgain),
        Row("connected: loaded", multi + opened, .loaded, .ready, [.publishState, .settled(nil)]),
        Row(
            "connected: thread made", single + opened + [.nothingToRecover(hasSurvey: false)], .threadCreated, .ready,
            [.publishState, .settled(nil)]),
        Row(
            "connected: nothing to recover", single + opened, .nothingToRecover(hasSurvey: false), .connected,
            [.publishError(noThread), .createThread]),
        Row(
            "connected: nothing to recover, survey", single + opened, .nothingToRecover(hasSurvey: true), .ready,
            [.publishError(noThread), .publishState, .settled(nil)]),
        Row("connected: connect repeats its state", multi + opened, .connect, .connected, [.publishState]),
        Row("ready: connect repeats its state", multi + opened + [.loaded], .connect, .ready, [.publishState]),
        Row("ready: contact ended", live + opened + [.loaded], .contactEnded, .closed, [.publishState]),
        Row("ready: no contact without live chat", multi + opened + [.loaded], .contactEnded, .ready, []),
        Row(
            "closed: a new conversation", live + opened + [.loaded, .contactEnded], .threadCreated, .ready,
            [.publishState]),
        Row(
            "closed: connect repeats its state", live + opened + [.loaded, .contactEnded], .connect, .closed,
            [.publishState]),
        Row(
            "connected: disconnect", multi + opened, .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row(
            "ready: disconnect", multi + opened + [.loaded], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row(
            "closed: disconnect", live + opened + [.loaded, .contactEnded], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row(
            "connected: lost is an attempt that failed", multi + opened, .lost, .connecting,
            [.failPending, firstDelay, .publishState, .settled(lost)]),
        Row("ready: lost", multi + opened + [.loaded], .lost, .connecting, [.failPending, firstDelay, .publishState]),
        Row(
            "closed: lost", live + opened + [.loaded, .contactEnded], .lost, .connecting,
            [.failPending, firstDelay, .publishState]),
        Row("prepared: lost too late", multi + opened + [.disconnect], .lost, .prepared, []),
        Row("reconnecting: try again", multi + opened + [.loaded, .lost], .retryDue, .connecting, [.open]),
        Row(
            "reconnecting: open fails", multi + opened + [.loaded, .lost, .retryDue], .openFailed(failure), .connecting,
            [secondDelay, .publishState, .settled(failure)]),
        Row(
            "reconnecting: loading fails", multi + opened + [.loaded, .lost, .retryDue, .opened], .loadFailed(failure),
            .connecting,
            [.close, .failPending, secondDelay, .publishState, .settled(failure)]),
        Row(
            "reconnecting: connect tries at once", multi + opened + [.loaded, .lost], .connect, .connecting,
            [.cancelRetry, .open]),
        Row(
            "reconnecting: disconnect", multi + opened + [.loaded, .lost], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row(
            "prepared: an attempt that is due too late", multi + opened + [.loaded, .lost, .disconnect], .retryDue,
            .prepared, []),
        Row("initial: restore waits for its turn", [], .restore(connects: true), .preparing, []),
        Row("restored: its turn comes", restored, .retryDue, .preparing, [.fetchConfiguration]),
        Row(
            "restored: connect is its turn", [.restore(connects: false)], .connect, .preparing,
            [.cancelRetry, .fetchConfiguration]),
        Row(
            "restored: connects when it is prepared", restored + [.retryDue], .prepared(.liveChat), .prepared,
            [.publishState, .checkAvailability]),
        Row(
            "restored without a connection: is only prepared", [.restore(connects: false), .retryDue],
            .prepared(.multithread), .prepared,
            [.publishState, .settled(nil)]),
        Row(
            "ready: sign out", multi + opened + [.loaded], .signOut, .initial,
            [.cancelRetry, .close, .failPending, .settled(disconnected), .publishState]),
        Row("initial: sign out", [], .signOut, .initial, [.publishState]),
    ]

    @Test(arguments: rows) func transition(row: Row) throws {
        var machine = ConnectionMachine()
        for input in row.before { _ = try machine.handle(input) }
        let effects = try machine.handle(row.input)
        #expect(machine.state == row.state)
        #expect(effects == row.effects)
    }

    struct Refusal: Sendable {
        var before: [Input]
        var input: Input
        var state: ChatState
    }

    @Test(arguments: [
        Refusal(before: multi + [.connect, .online], input: .prepare(connects: false), state: .connecting),
        Refusal(before: multi + opened, input: .prepare(connects: false), state: .connected),
        Refusal(before: multi + opened + [.loaded], input: .prepare(connects: false), state: .ready),
        Refusal(before: live + opened + [.loaded, .contactEnded], input: .prepare(connects: false), state: .closed),
    ]) func aCallThatTheStateDoesNotAllowIsRefusedAndChangesNothing(row: Refusal) throws {
        var machine = ConnectionMachine()
        for input in row.before { _ = try machine.handle(input) }
        let before = machine
        let error = #expect(throws: ChatError.self) { _ = try machine.handle(row.input) }
        #expect(error?.code == .illegalChatState)
        #expect(machine == before)
        #expect(machine.state == row.state)
    }

    @Test func itTriesForEverUntilAnErrorSaysThatNothingHelps() throws {
        var machine = ConnectionMachine()
        for input in Self.multi + Self.opened + [.loaded, .lost] { _ = try machine.handle(input) }
        for attempt in 1...1000 {
            #expect(try machine.handle(.retryDue) == [.open])
            let effects = try machine.handle(.openFailed(Self.failure), random: 0.999)
            guard case .scheduleRetry(let delay)? = effects.first, delay <= .seconds(60) else {
                Issue.record("attempt \(attempt): \(effects)")
                return
            }
        }
        _ = try machine.handle(.retryDue)
        #expect(
            try machine.handle(.openFailed(Self.final)) == [
                .publishState, .publishError(Self.final), .settled(Self.final),
            ])
        #expect(machine.state == .prepared && machine.error == Self.final && !machine.isWaiting)
        // And connect begins anew.
        _ = try machine.handle(.connect)
        #expect(machine.error == nil)
        #expect(try machine.handle(.online) == [.publishState, .open])
        #expect(try machine.handle(.openFailed(Self.failure)) == Self.tryAgain)
    }

    @Test func aRequestWaitsOnlyUntilAnAttemptHasFailed() throws {
        var machine = ConnectionMachine()
        for input in Self.multi { _ = try machine.handle(input) }
        #expect(!machine.isConnectionExpected, "nobody wants it connected")
        for input in [Input.connect, .online] {
            _ = try machine.handle(input)
            #expect(machine.isConnectionExpected)
        }
        _ = try machine.handle(.openFailed(Self.failure))
        #expect(!machine.isConnectionExpected && machine.error == Self.failure)
        for input in [Input.retryDue, .opened, .loaded] { _ = try machine.handle(input) }
        #expect(machine.error == nil)
        _ = try machine.handle(.lost)
        #expect(machine.isConnectionExpected && machine.error == Self.lost)
    }

    @Test func aSuccessBeginsTheCountAnew() throws {
        var machine = ConnectionMachine()
        for input in Self.multi + Self.opened + [.loaded] { _ = try machine.handle(input) }
        for _ in 0..<50 {
            #expect(try machine.handle(.lost) == [.failPending, Self.firstDelay, .publishState])
            for input in [Input.retryDue, .opened] { _ = try machine.handle(input) }
            // Open alone is no success yet.
            #expect(try machine.handle(.lost) == [.failPending, Self.secondDelay, .publishState, .settled(Self.lost)])
            for input in [Input.retryDue, .opened, .loaded] { _ = try machine.handle(input) }
            #expect(machine.state == .ready)
        }
    }

    @Test func delaysGrowToAMinuteAtMost() {
        var backOff = BackOff()
        let delays = (0..<100).map { _ in backOff.next(random: 0.5) }
        #expect(delays.prefix(3) == [.milliseconds(1462), .milliseconds(1901), .milliseconds(2471)])
        #expect(delays[14...].allSatisfy { $0 == .seconds(54) })
        #expect(backOff.next(random: 0) == .seconds(48))
        #expect(backOff.next(random: 0.999_999) <= .seconds(60))
        backOff.reset()
        #expect(backOff.next(random: 0) == .milliseconds(1300))
    }
}
