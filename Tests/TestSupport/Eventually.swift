/// Waits until a condition holds, and returns whether it did within two minutes.
///
/// The condition is looked at again after each change that a test can see (``Changes``). The time is long, because a
/// machine may stand still for a while; a test that succeeds does not feel it.
public func eventually(
    _ holds: @Sendable () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
        let count = Changes.count
        // The last look comes after the deadline: all may have stood still until then.
        let isLast = ContinuousClock.now >= deadline
        if try await Changes.$isLooking.withValue(true, operation: holds) { return true }
        if isLast { return false }
        await Changes.next(after: count)
    }
}
