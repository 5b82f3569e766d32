/// Lets other tasks run until something holds; false if it never does.
///
/// The tasks under test only wait for each other, so that this returns as soon as they have got there, and a test that
/// hangs fails instead. What takes longer, such as a server's answer, is looked at each millisecond: dozens of tests that
/// wait without a pause would take the processors from those they wait for.
public func eventually(
    _ holds: @Sendable () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    var looks = 0
    while true {
        // The last look comes after the deadline: all may have stood still until then.
        let isLast = ContinuousClock.now >= deadline
        if try await holds() { return true }
        if isLast { return false }
        looks += 1
        if looks < 1000 {
            await Task.yield()
        } else {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// Lets other tasks run for a while, to see that something does not happen.
public func letOthersRun() async {
    for _ in 0..<500 { await Task.yield() }
}
