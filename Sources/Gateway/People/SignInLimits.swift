import MicroHTTP

/// Slows down who guesses passwords, without locking anybody out: an address that guesses waits, and so does everybody who
/// tries one name too often. A browser in which the person is signed in has tries of its own, whatever others do.
final class SignInLimits: Sendable {
    /// Of one address for one name.
    private let pairs: FailureLimiter
    /// Of all addresses for one name.
    private let names: FailureLimiter
    /// Of one address, for all names and tokens.
    private let addresses: FailureLimiter
    /// Of one login, for its own person's name.
    private let logins: FailureLimiter

    init(addresses: FailureLimiter, elapsed: @escaping @Sendable () -> Duration) {
        pairs = FailureLimiter(limit: 5, window: .seconds(15 * 60), elapsed: elapsed)
        logins = FailureLimiter(limit: 5, window: .seconds(15 * 60), elapsed: elapsed)
        names = FailureLimiter(limit: 20, window: .seconds(3600), elapsed: elapsed)
        self.addresses = addresses
    }

    /// Seconds until a try is taken; nil when one is taken now.
    ///
    /// - Parameter login: the one that the person of this name has in the browser.
    func wait(_ email: String, _ peer: Peer, login: String?) -> Int? {
        if let login { return logins.wait(login) }
        let address = FailureLimiter.address(peer)
        let waits = [addresses.wait(address), pairs.wait("\(email) \(address)"), names.wait(email)]
        return waits.compactMap { $0 }.max()
    }

    /// Counts a failed try.
    func countFailure(_ email: String, _ peer: Peer, login: String?) {
        if let login {
            _ = logins.countFailure(login)
            return
        }
        let address = FailureLimiter.address(peer)
        _ = addresses.countFailure(address)
        _ = pairs.countFailure("\(email) \(address)")
        _ = names.countFailure(email)
    }
}
