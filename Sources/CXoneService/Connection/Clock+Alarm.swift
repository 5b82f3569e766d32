extension Clock where Duration == Swift.Duration {
    /// Returns a wait whose deadline is counted from this call, and not from when the wait begins. It throws
    /// `CancellationError` when its task is cancelled.
    func alarm(in duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
        return { try await self.sleep(until: deadline, tolerance: nil) }
    }
}
