import Bounds

extension Problem {
    /// That a holder gets no place: 429 when it has its share, 503 when all places are taken.
    ///
    /// - Parameter things: what the places are for, in the plural.
    package init(_ refusal: PlaceRefusal, of things: String) {
        switch refusal {
        case .share(let share, let limit):
            self.init(
                .shareExceeded, "You have \(share) \(things) at once already, your share of \(limit).", retryAfter: 1)
        case .full(let limit):
            self.init(.tooManyRequests, "There are \(limit) \(things) at once already.", retryAfter: 1)
        }
    }
}

extension PlacePool {
    /// Takes a place until ``giveBack(_:)``. Throws `shareExceeded` or `tooManyRequests`.
    package func take(_ holder: Holder, for things: String) throws(Problem) {
        do {
            try take(holder)
        } catch {
            throw Problem(error, of: things)
        }
    }
}

extension PlaceLine {
    /// Does the work when its turn has come. Throws `shareExceeded` or `tooManyRequests` when too many wait, and
    /// `CancellationError`.
    package func holding<T: Sendable>(
        _ holder: Holder, for things: String, _ work: @Sendable () async throws -> T
    ) async throws -> T {
        do {
            try await enter(holder)
        } catch let refusal as PlaceRefusal {
            throw Problem(refusal, of: things)
        }
        defer { leave(holder) }
        return try await work()
    }
}
