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

    static let multi: [Input] = [.prepare, .prepared(.multithread)]
    static let single: [Input] = [.prepare, .prepared(.singlethread)]
    static let live: [Input] = [.prepare, .prepared(.liveChat)]
    static let opened: [Input] = [.connect, .online, .opened]

    static let restored: [Input] = [.restore(connecting: true)]
    static let final = ChatError(.transactionTokenExpired, "as scripted")

    static let rows: [Row] = [
        Row("initial: prepare", [], .prepare, .preparing, [.fetchConfiguration]),
        Row("prepared: prepare", multi, .prepare, .preparing, [.fetchConfiguration]),
        Row("offline: prepare", live + [.connect, .offline], .prepare, .preparing, [.fetchConfiguration]),
        Row("preparing: prepare is silent", [.prepare], .prepare, .preparing, []),
        Row("preparing: success", [.prepare], .prepared(.liveChat), .prepared, [.publishState]),
        Row("preparing: failure", [.prepare], .prepareFailed(failure), .initial, [.settled(nil)]),
        Row("preparing: disconnect", [.prepare], .disconnect, .initial, [.settled(nil)]),
        Row("initial: a late answer to prepare", [.prepare, .disconnect], .prepared(.liveChat), .initial, []),
        Row("prepared: connect asks", live, .connect, .prepared, [.checkAvailability]),
        Row("prepared: connect, offline", live + [.connect], .offline, .offline, [.publishState, .settled(nil)]),
        Row("offline: disconnect", live + [.connect, .offline], .disconnect, .prepared, []),
        Row("prepared: connect, not known", live + [.connect], .availabilityFailed(failure), .prepared, [.settled(failure)]),
        Row("prepared: connect, online", multi + [.connect], .online, .connecting, [.publishState, .open]),
        Row("prepared: connect twice asks once", multi + [.connect], .connect, .prepared, []),
        Row("prepared: asking, disconnect", multi + [.connect], .disconnect, .prepared, [.settled(disconnected)]),
        Row("prepared: asking, prepare", multi + [.connect], .prepare, .preparing, [.fetchConfiguration, .settled(disconnected)]),
        Row("prepared: disconnected, a late answer", multi + [.connect, .disconnect], .online, .prepared, []),
        Row("connecting: connect is silent", multi + [.connect, .online], .connect, .connecting, []),
        Row("connecting: open, many threads", multi + [.connect, .online], .opened, .connected, [.publishState, .loadThreads]),
        Row("connecting: open, single thread", single + [.connect, .online], .opened, .connected, [.publishState, .recoverThread]),
        Row("connecting: open, live chat", live + [.connect, .online], .opened, .connected, [.publishState, .recoverThread]),
        Row("connecting: failure", multi + [.connect, .online], .openFailed(failure), .prepared, [.publishState, .settled(failure)]),
        Row("connecting: disconnect", multi + [.connect, .online], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("prepared: opened too late", multi + [.connect, .online, .disconnect], .opened, .prepared, [.close]),
        Row("connected: loading fails", multi + opened, .loadFailed(failure), .prepared,
            [.close, .failPending, .publishState, .publishError(failure), .settled(failure)]),
        Row("connected: loaded", multi + opened, .loaded, .ready, [.publishState, .settled(nil)]),
        Row("connected: thread made", single + opened + [.nothingToRecover(hasSurvey: false)], .threadCreated, .ready,
            [.publishState, .settled(nil)]),
        Row("connected: nothing to recover", single + opened, .nothingToRecover(hasSurvey: false), .connected,
            [.publishError(noThread), .createThread]),
        Row("connected: nothing to recover, survey", single + opened, .nothingToRecover(hasSurvey: true), .ready,
            [.publishError(noThread), .publishState, .settled(nil)]),
        Row("connected: connect repeats its state", multi + opened, .connect, .connected, [.publishState]),
        Row("ready: connect repeats its state", multi + opened + [.loaded], .connect, .ready, [.publishState]),
        Row("ready: contact ended", live + opened + [.loaded], .contactEnded, .closed, [.publishState]),
        Row("ready: no contact without live chat", multi + opened + [.loaded], .contactEnded, .ready, []),
        Row("closed: a new conversation", live + opened + [.loaded, .contactEnded], .threadCreated, .ready, [.publishState]),
        Row("closed: connect repeats its state", live + opened + [.loaded, .contactEnded], .connect, .closed, [.publishState]),
        Row("connected: disconnect", multi + opened, .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("ready: disconnect", multi + opened + [.loaded], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("closed: disconnect", live + opened + [.loaded, .contactEnded], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("connected: lost", multi + opened, .lost, .connecting, [.failPending, .publishState, firstDelay]),
        Row("ready: lost", multi + opened + [.loaded], .lost, .connecting, [.failPending, .publishState, firstDelay]),
        Row("closed: lost", live + opened + [.loaded, .contactEnded], .lost, .connecting, [.failPending, .publishState, firstDelay]),
        Row("prepared: lost too late", multi + opened + [.disconnect], .lost, .prepared, []),
        Row("reconnecting: try again", multi + opened + [.lost], .retryDue, .connecting, [.open]),
        Row("reconnecting: open fails", multi + opened + [.lost, .retryDue], .openFailed(failure), .connecting,
            [.scheduleRetry(.milliseconds(1690))]),
        Row("reconnecting: loading fails", multi + opened + [.lost, .retryDue, .opened], .loadFailed(failure), .connecting,
            [.close, .failPending, .publishState, .scheduleRetry(.milliseconds(1690))]),
        Row("reconnecting: connect waits with it", multi + opened + [.lost], .connect, .connecting, []),
        Row("reconnecting: disconnect", multi + opened + [.lost], .disconnect, .prepared,
            [.cancelRetry, .close, .failPending, .publishState, .settled(disconnected)]),
        Row("prepared: an attempt that is due too late", multi + opened + [.lost, .disconnect], .retryDue, .prepared, []),
        Row("initial: restore", [], .restore(connecting: true), .preparing, [.fetchConfiguration]),
        Row("restoring: failure is tried again", restored, .prepareFailed(failure), .preparing,
            [.publishState, .publishError(failure), firstDelay]),
        Row("restoring: an attempt is due", restored + [.prepareFailed(failure)], .retryDue, .preparing, [.fetchConfigurationAgain]),
        Row("restoring: what cannot be mended is not tried again", restored, .prepareFailed(final), .initial,
            [.publishState, .publishError(final), .settled(nil)]),
        Row("restoring: disconnect", restored + [.prepareFailed(failure)], .disconnect, .initial, [.cancelRetry, .settled(nil)]),
        Row("restoring: an attempt that is due too late", restored + [.prepareFailed(failure), .disconnect], .retryDue, .initial, []),
        Row("restored: not known whether online, asked again", restored + [.prepared(.liveChat), .connect], .availabilityFailed(failure),
            .connecting, [.publishState, firstDelay, .settled(failure)]),
        Row("restored: asks first", restored + [.prepared(.liveChat), .connect, .availabilityFailed(failure)], .retryDue, .connecting,
            [.checkAvailability]),
        Row("restored: online after all", restored + [.prepared(.liveChat), .connect, .availabilityFailed(failure), .retryDue], .online,
            .connecting, [.open]),
        Row("restored: offline after all", restored + [.prepared(.liveChat), .connect, .availabilityFailed(failure), .retryDue], .offline,
            .offline, [.publishState, .settled(nil)]),
        Row("restored: open fails, tried again, and nobody waits longer", restored + [.prepared(.multithread), .connect, .online],
            .openFailed(failure), .connecting, [firstDelay, .settled(failure)]),
        Row("restored: open fails again", restored + [.prepared(.multithread), .connect, .online, .openFailed(failure), .retryDue],
            .openFailed(failure), .connecting, [.scheduleRetry(.milliseconds(1690))]),
        Row("restored without a connection: a later one is not tried again",
            [.restore(connecting: false), .prepared(.multithread), .connect, .online], .openFailed(failure), .prepared,
            [.publishState, .settled(failure)]),
        Row("reconnecting: what cannot be mended is not tried again", multi + opened + [.lost, .retryDue], .openFailed(final), .prepared,
            [.publishState, .publishError(final), .settled(final)]),
        Row("ready: sign out", multi + opened + [.loaded], .signOut, .initial,
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
        Refusal(before: [], input: .connect, state: .initial),
        Refusal(before: [.prepare], input: .connect, state: .preparing),
        Refusal(before: live + [.connect, .offline], input: .connect, state: .offline),
        Refusal(before: multi + [.connect, .online], input: .prepare, state: .connecting),
        Refusal(before: multi + opened, input: .prepare, state: .connected),
        Refusal(before: multi + opened + [.loaded], input: .prepare, state: .ready),
        Refusal(before: live + opened + [.loaded, .contactEnded], input: .prepare, state: .closed),
    ]) func aCallThatTheStateDoesNotAllowIsRefusedAndChangesNothing(row: Refusal) throws {
        var machine = ConnectionMachine()
        for input in row.before { _ = try machine.handle(input) }
        let before = machine
        let error = #expect(throws: ChatError.self) { _ = try machine.handle(row.input) }
        #expect(error?.code == .illegalChatState)
        #expect(machine == before)
        #expect(machine.state == row.state)
    }

    @Test func afterTwentyFailedAttemptsItGivesUp() throws {
        var machine = ConnectionMachine()
        for input in Self.multi + Self.opened + [.loaded, .lost] { _ = try machine.handle(input) }
        for attempt in 2...20 {
            #expect(try machine.handle(.retryDue) == [.open])
            let effects = try machine.handle(.openFailed(Self.failure))
            guard case .scheduleRetry? = effects.first, effects.count == 1 else {
                Issue.record("attempt \(attempt): \(effects)")
                return
            }
        }
        _ = try machine.handle(.retryDue)
        #expect(try machine.handle(.openFailed(Self.failure)) == [.publishState, .publishError(Self.failure), .settled(Self.failure)])
        #expect(machine.state == .prepared)
        // And connect begins anew.
        _ = try machine.handle(.connect)
        #expect(try machine.handle(.online) == [.publishState, .open])
        #expect(try machine.handle(.openFailed(Self.failure)) == [.publishState, .settled(Self.failure)])
    }

    @Test func aSuccessBeginsTheCountAnew() throws {
        var machine = ConnectionMachine()
        for input in Self.multi + Self.opened + [.loaded] { _ = try machine.handle(input) }
        for _ in 0..<50 {
            #expect(try machine.handle(.lost) == [.failPending, .publishState, Self.firstDelay])
            for input in [Input.retryDue, .opened] { _ = try machine.handle(input) }
            // Open alone is no success yet.
            #expect(try machine.handle(.lost) == [.failPending, .publishState, .scheduleRetry(.milliseconds(1690))])
            for input in [Input.retryDue, .opened, .loaded] { _ = try machine.handle(input) }
            #expect(machine.state == .ready)
        }
    }

    @Test func delaysGrowToACap() {
        var backOff = BackOff()
        var delays: [Duration] = []
        while let delay = backOff.next(random: 0.5) { delays.append(delay) }
        #expect(delays.count == 20)
        #expect(delays.prefix(3) == [.milliseconds(1800), .milliseconds(2190), .milliseconds(2697)])
        #expect(delays[9...].allSatisfy { $0 == delays[9] })
        #expect(delays[9] == .milliseconds(14_285))
        #expect(backOff.next(random: 0) == nil)
        backOff.reset()
        #expect(backOff.next(random: 0) == .milliseconds(1300))
    }
}
