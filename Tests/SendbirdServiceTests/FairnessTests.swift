import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import Synchronization
import TestSupport
import Testing

/// A busy account leaves the others their part of an application's calls.
@Suite struct FairnessTests {
    /// The calls of a test at a gate that lets ten go in a second.
    private struct Calls {
        let clock = ManualClock()
        let gate: RequestGate
        /// Whose calls have begun, in their order.
        private let begun = Watched<[Int64?]>([])

        init() { gate = RequestGate(RequestBudget(gets: 10, writes: 5), clock: clock) }

        var count: Int { begun.withLock { $0.count } }
        var accounts: [Int64?] { begun.withLock { $0 } }

        /// So many calls of an account come, one after the other.
        @discardableResult
        func come(_ count: Int, of account: Int64?, _ urgency: RequestGate.Urgency = .deed) async -> [Task<Bool, Never>]
        {
            var tasks: [Task<Bool, Never>] = []
            for _ in 0..<count {
                let before = gate.waitingCount + self.count
                let isOver = Watched(false)
                tasks.append(
                    Task {
                        defer { isOver.change { $0 = true } }
                        guard (try? await gate.pass(.get, scope: nil, urgency, of: account)) != nil else {
                            return false
                        }
                        begun.change { $0.append(account) }
                        return true
                    })
                await until { isOver.withLock { $0 } || gate.waitingCount + self.count > before }
            }
            return tasks
        }

        /// A second passes. Returns whose calls have begun in it.
        func second() async -> [Int64?] {
            let (before, waiting) = (count, gate.waitingCount)
            await until { clock.sleeperCount > 0 || waiting == 0 }
            clock.advance(by: .seconds(1))
            await until { count - before == min(10, waiting) }
            return Array(accounts.dropFirst(before))
        }

        /// Other tasks have their turns until a condition holds; it is an error if it never does.
        private func until(_ holds: () -> Bool) async {
            for _ in 0..<100_000 {
                if holds() { return }
                await Task.yield()
            }
            Issue.record("It takes too long.")
        }
    }

    @Test func aDebtIsForgotten() {
        var shares = CallShares()
        for _ in 0..<100 { shares.began(1, limit: 10, at: .zero) }
        #expect(shares.steps(of: 1, waiting: 0, limit: 10, at: .zero) == 5)
        #expect(shares.steps(of: 1, waiting: 0, limit: 10, at: .seconds(10)) == 0)
        #expect(shares.steps(of: 2, waiting: 25, limit: 10, at: .zero) == 2)
    }

    /// Who has made all calls of a second waits behind somebody who comes later; and gets all of its own in the end.
    @Test func whoComesLaterPassesABusyAccount() async {
        let calls = Calls()
        await calls.come(40, of: 1)
        #expect(calls.count == 10 && calls.gate.waitingCount == 30)
        await calls.come(9, of: 2)
        let first = await calls.second()
        #expect(first.count { $0 == 2 } == 9 && first.count == 10)
        for _ in 0..<3 { _ = await calls.second() }
        #expect(calls.count == 49 && calls.gate.waitingCount == 0)
    }

    /// What many ask for at once is answered in turn, whoever has come first.
    @Test func accountsTakeTurns() async {
        let calls = Calls()
        await calls.come(10, of: nil)
        await calls.come(9, of: 1)
        await calls.come(3, of: 2)
        await calls.come(9, of: 3)
        let first = await calls.second()
        #expect((1...3).map { account in first.count { $0 == account } } == [4, 3, 3])
        _ = await calls.second()
        _ = await calls.second()
        #expect(calls.gate.waitingCount == 0)
    }

    /// Where others' calls come as fast as calls go, nobody's are passed for ever.
    @Test func othersThatComeAndGoDoNotPassAllTheTime() async {
        let calls = Calls()
        await calls.come(10, of: nil)
        await calls.come(3, of: 1)
        for _ in 0..<4 {
            for account in 2...11 { await calls.come(1, of: Int64(account)) }
            _ = await calls.second()
        }
        #expect(calls.accounts.count { $0 == 1 } == 3)
    }

    /// A busy account's deeds fall back behind its own application's polls, but are never left for good.
    @Test func aBusyAccountDoesNotStarve() async {
        let calls = Calls()
        await calls.come(150, of: 1)
        for second in 0..<10 {
            // More than may go.
            await calls.come(15, of: nil, .applicationPoll)
            let begun = await calls.second()
            let own = begun.count { $0 == 1 }
            #expect(begun.count == 10 && (2...8).contains(own), "\(own) in second \(second)")
        }
    }

    /// Many pages, as after a restart, leave something to the polls; and many polls to the pages.
    @Test func noUrgencyStarves() async {
        let calls = Calls()
        await calls.come(10, of: nil, .page)
        await calls.come(100, of: nil, .page)
        await calls.come(2, of: 2, .focus)
        await calls.come(1, of: 3, .applicationPoll)
        await calls.come(1, of: 4, .deed)
        let first = await calls.second()
        #expect(first.contains(4) && first.contains(2) && first.contains(3), "\(first)")
        #expect(first[0] == 4, "a deed goes first")
        let others = Calls()
        await others.come(10, of: nil, .deed)
        await others.come(100, of: nil, .deed)
        await others.come(100, of: nil, .focus)
        await others.come(1, of: 5, .page)
        let second = await others.second()
        #expect(second.contains(5), "\(second)")
        _ = await others.second()
    }

    @Test(.timeLimit(.minutes(1))) func aWaitingLineHasRoomForOthers() async {
        let calls = Calls()
        await calls.come(10, of: nil)
        let tasks = await calls.come(RequestGate.share, of: 1)
        let error = await #expect(throws: ChatError.self) { try await calls.gate.pass(.get, scope: nil, .deed, of: 1) }
        #expect(error?.code == .serverError)
        let others = await calls.come(1, of: 2)
        #expect(calls.gate.waitingCount == RequestGate.share + 1)
        // Who is cancelled gives the place back.
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == false) }
        #expect(calls.gate.waitingCount == 1)
        #expect(await calls.second() == [2])
        #expect(await others[0].value)
    }

    /// Nor do polls fill the line.
    @Test(.timeLimit(.minutes(1))) func pollsLeaveRoomForCustomers() async throws {
        let calls = Calls()
        await calls.come(10, of: nil)
        let tasks = await calls.come(RequestGate.pollShare, of: nil, .focus)
        await #expect(throws: ChatError.self) { try await calls.gate.pass(.get, scope: nil, .focus) }
        let others = await calls.come(1, of: 1)
        #expect(calls.gate.waitingCount == RequestGate.pollShare + 1)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == false) }
        #expect(await calls.second() == [1])
        #expect(await others[0].value)
        // Those that were cancelled have given their places back.
        let more = await calls.come(1, of: nil, .focus)
        for task in more { task.cancel() }
    }

    /// A customer's many calls keep the application's polls from nobody.
    @Test func theNewsOfOthersDoNotWait() async throws {
        try await TwoGateways.run(gets: 10) { world in
            let ada = try await world.sessionWithThread("room_1")
            let bob = try await world.session("bob")
            let account = bob.account
            #expect(try await world.passes { try await world.store.read { try $0.hasThread("room_1", of: account) } })
            _ = try await world.desk.createThread(
                DeskThreadDraft(id: "room_2", channel: "multi", members: [MemberDraft(id: "bob")]), as: nil,
                receipt: nil)
            #expect(try await world.passes { try await world.store.read { try $0.hasThread("room_2", of: account) } })
            let before = world.port.calls.count
            let loads = (0..<200).map { _ in
                Task { try? await ada.ask { _ = try await $0.load("room_1", receipt: nil) } }
            }
            #expect(await world.passes { world.port.calls.count > before })
            try await world.deskSends("Hello", to: "room_2")
            // It is on the application's list before the other one.
            try await world.deskSends("Hello", to: "room_1")
            let start = world.clock.now
            #expect(try await world.passes { try await world.texts(of: bob, in: "room_2") == ["Hello"] })
            let time = start.duration(to: world.clock.now)
            #expect(time < .seconds(15), "\(time)")
            for load in loads { load.cancel() }
        }
    }
}
