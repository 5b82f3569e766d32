/// Measuring and waiting by a clock whose type is not known. It must be one that nobody sets: the time of day jumps.
extension Clock where Duration == Swift.Duration {
    /// Returns a wait whose deadline is counted from this call, and not from when the wait begins. It throws
    /// `CancellationError` when its task is cancelled.
    public func alarm(in duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
        return { try await self.sleep(until: deadline, tolerance: nil) }
    }

    /// Returns a function that tells the time since this call.
    public func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
