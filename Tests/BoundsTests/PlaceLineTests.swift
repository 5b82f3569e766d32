import Bounds
import Testing

struct PlaceLineTests {
    @Test func aWorkBeginsWhenItsTurnHasCome() async throws {
        let line = PlaceLine(limit: 2, waiting: 16)
        try await line.enter(.named("ann"))
        let second = Task { try await line.holding(.named("ann")) { 2 } }
        while line.counts.waiting == 0 { await Task.yield() }
        line.leave(.named("ann"))
        #expect(try await second.value == 2)
        #expect(line.counts == (0, 0))
    }

    @Test func whoNeedNotWaitEntersAtOnce() async throws {
        let line = PlaceLine(limit: 3, waiting: 16)
        #expect(line.enterAtOnce(.named("ann")) && !line.enterAtOnce(.named("ann")))
        let second = Task { try await line.enter(.named("ann")) }
        while line.counts.waiting == 0 { await Task.yield() }
        #expect(line.enterAtOnce(.named("bo")), "it passes those that wait for their own share")
        line.leave(.named("ann"))
        try await second.value
        #expect(line.counts == (2, 0) && !line.enterAtOnce(.named("ann")))
    }

    @Test func aCancelledWorkLeavesTheLine() async throws {
        let line = PlaceLine(limit: 2, waiting: 16)
        try await line.enter(.named("ann"))
        let second = Task { try await line.enter(.named("ann")) }
        while line.counts.waiting == 0 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(line.counts == (1, 0))
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await line.enter(.named("bo"))
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(line.counts == (1, 0))
    }

    @Test func tooManyThatWaitAreRefused() async throws {
        let line = PlaceLine(limit: 2, waiting: 8)
        try await line.enter(.named("ann"))
        let second = Task { try await line.enter(.named("ann")) }
        while line.counts.waiting == 0 { await Task.yield() }
        await #expect(throws: PlaceRefusal.share(1, limit: 8)) { try await line.enter(.named("ann")) }
        line.leave(.named("ann"))
        try await second.value
    }

    @Test func aPoolRefusesByShare() throws {
        let pool = PlacePool(limit: 16)
        try pool.takePlace(.named("ann"))
        try pool.takePlace(.named("ann"))
        #expect(throws: PlaceRefusal.share(2, limit: 16)) { try pool.takePlace(.named("ann")) }
        pool.giveBack(.named("ann"))
        try pool.takePlace(.named("ann"))
        #expect(pool.taken == 2)
    }
}
