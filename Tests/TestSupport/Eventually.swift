/// Lets other tasks run until something holds; false if it never does.
///
/// No time passes by a clock: the tasks under test only wait for each other, so that
/// this returns as soon as they have got there, and a test that hangs fails instead.
public func eventually(
    _ holds: @Sendable () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await holds() { return true }
        await Task.yield()
    }
    return false
}

/// Lets other tasks run for a while, to see that something does not happen.
public func letOthersRun() async {
    for _ in 0..<500 { await Task.yield() }
}
