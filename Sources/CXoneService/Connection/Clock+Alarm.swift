extension Clock where Duration == Swift.Duration {
    /// A wait that ends so long after now, whenever it is begun. Throws `CancellationError`.
    func alarm(in duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
        return { try await self.sleep(until: deadline, tolerance: nil) }
    }
}
