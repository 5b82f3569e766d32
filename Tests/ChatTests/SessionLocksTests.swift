@testable import Chat
import Testing

/// Which sessions wait for each other while they are restored.
@Suite struct SessionLocksTests {
    /// All locks are used, and about alike: a storm of sessions that come back has one for each reader of the store.
    @Test func sessionsAreSpreadOverAllLocks() {
        var counts = [Int](repeating: 0, count: SessionLocks.count)
        for number in 0..<(64 * SessionLocks.count) {
            counts[SessionLocks.place(of: "01a22d76-2e6b-7746-9ba5-\(number)")] += 1
        }
        #expect(counts.min()! >= 20 && counts.max()! <= 160)
    }

    /// With one lock for all, this would never end.
    @Test func othersDoNotWait() throws {
        let locks = SessionLocks()
        let other = try #require(
            (0...).lazy.map { "\($0)" }.first { SessionLocks.place(of: $0) != SessionLocks.place(of: "a") })
        #expect(locks.withLock(of: "a") { locks.withLock(of: other) { true } })
    }
}
