import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// The logins of browsers: all of them in memory, and each change in the store first. Any thread may use it.
///
/// A gateway that takes over loads them when it holds the lease, before it answers.
package final class LoginRing: Sendable {
    private struct Entry {
        var login: Login
        /// Whether the store has it; it opens nothing before.
        var isStored = true
        /// The last use, unless the store knows it.
        var unsavedUse: Timestamp?

        func isValid(at now: Timestamp) -> Bool { isStored && now < login.expiresAt }

        /// The login with its last use.
        var shown: Login {
            var login = login
            login.lastUsedAt = max(login.lastUsedAt, unsavedUse ?? login.lastUsedAt)
            return login
        }
    }

    /// What the halves that a request has shown are.
    enum Finding: Equatable {
        case valid(Login)
        /// The cookie is that of this login, and the other half did not come.
        case halfMissing(Login)
        /// There is no such login, any more.
        case ended
        /// A secret is not the login's.
        case wrong
    }

    /// In milliseconds: 30 days; of a person 14 days without use, and 90 in all; and how long an administrator need not
    /// show again who they are, 15 minutes.
    static let operatorLife: Int64 = 30 * 86_400_000
    static let personLife: Int64 = 14 * 86_400_000
    private static let longestLife: Int64 = 90 * 86_400_000
    static let confirmationLife: Int64 = 15 * 60_000

    private let store: ChatStore
    private let entries = Mutex<[String: Entry]>([:])

    init(store: ChatStore) { self.store = store }

    /// Reads all logins. Call it once, before the gateway answers.
    func load() async throws(ChatError) {
        let logins = try await store.read { try $0.logins() }
        entries.withLock { entries in
            for login in logins { entries[login.id] = Entry(login: login) }
        }
    }

    // MARK: Reading

    /// Looks at the halves of a login.
    ///
    /// - Parameters:
    ///   - cookie: the cookie's value.
    ///   - page: the other half, if it came.
    func find(cookie: Substring, page: String?, at now: Timestamp) -> Finding {
        let id = String(cookie.prefix { $0 != "." })
        guard let entry = entries.withLock({ $0[id] }), entry.isValid(at: now) else { return .ended }
        let login = entry.login
        guard areSameSecret(login.cookieDigest, LoginSecrets.digest(String(cookie))) else { return .wrong }
        guard let page else { return .halfMissing(login) }
        return areSameSecret(login.pageDigest, LoginSecrets.digest(page)) ? .valid(login) : .wrong
    }

    func isValid(_ id: String, at now: Timestamp) -> Bool {
        entries.withLock { $0[id]?.isValid(at: now) ?? false }
    }

    /// The same for a request: if it is valid, this counts as a use of the login, to the minute.
    func use(_ id: String, at now: Timestamp) -> Bool {
        entries.withLock { entries in
            guard let entry = entries[id], entry.isValid(at: now) else { return false }
            if now.milliseconds - (entry.unsavedUse ?? entry.login.lastUsedAt).milliseconds >= 60_000 {
                entries[id]?.unsavedUse = now
                if entry.login.person != Login.operatorID {
                    entries[id]?.login.expiresAt = min(
                        now.advanced(byMilliseconds: Self.personLife),
                        entry.login.createdAt.advanced(byMilliseconds: Self.longestLife))
                }
            }
            return true
        }
    }

    /// The login; nil when there is none.
    func login(_ id: String) -> Login? { entries.withLock { $0[id]?.shown } }

    /// All logins that have not ended, the oldest first.
    func all(at now: Timestamp) -> [Login] {
        entries.withLock { $0.values.filter { $0.isValid(at: now) }.map(\.shown) }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    // MARK: Changing

    /// Stores a new login. Returns the ids of those that had to go for it.
    ///
    /// - Parameter check: throws if the login must not be made any more.
    func add(
        _ login: Login, _ entry: NewAuditEntry,
        if check: @escaping @Sendable (ReadTransaction) throws -> Void = { _ in }
    ) async throws(ChatError) -> [String] {
        // It is here before it is stored: whoever ends it after the commit finds it.
        entries.withLock { $0[login.id] = Entry(login: login, isStored: false) }
        do {
            let removed = try await store.write { transaction in
                try check(transaction)
                try transaction.audit(entry)
                return try transaction.insert(login)
            }
            forget(removed)
            entries.withLock { $0[login.id]?.isStored = true }
            return removed
        } catch {
            forget([login.id])
            throw error
        }
    }

    /// Notes that the person has shown now who they are. Throws `unknownLogin`.
    func confirm(_ id: String, at now: Timestamp) async throws(ChatError) {
        try await store.write { try $0.confirmLogin(id) }
        entries.withLock { $0[id]?.login.confirmedAt = now }
    }

    /// Forgets logins that the store does not have any more.
    func forget(_ ids: [String]) {
        entries.withLock { entries in
            for id in ids { entries[id] = nil }
        }
    }

    /// The login that the person has by this cookie, or had until it expired; nil when it is no cookie of theirs. The other
    /// half is not looked at.
    func login(of person: String, cookie: Substring) -> String? {
        let id = String(cookie.prefix { $0 != "." })
        guard let login = entries.withLock({ $0[id]?.login }), login.person.hasSameBytes(as: person),
            areSameSecret(login.cookieDigest, LoginSecrets.digest(String(cookie)))
        else { return nil }
        return id
    }

    /// Ends a login. Throws `unknownLogin`.
    func remove(_ id: String, _ entry: NewAuditEntry) async throws(ChatError) {
        try await store.write { transaction in
            try transaction.removeLogin(id)
            try transaction.audit(entry)
        }
        entries.withLock { $0[id] = nil }
    }

    /// Ends all logins of a person, or those of operators. Returns their ids.
    func removeAll(of person: String, _ entry: NewAuditEntry) async throws(ChatError) -> [String] {
        let removed = try await store.write { transaction in
            try transaction.audit(entry)
            return try transaction.removeLogins(of: person)
        }
        forget(removed)
        return removed
    }

    /// Stores when logins were used, and deletes those that have ended. Call it about once an hour, and before the end.
    func maintain() async throws(ChatError) {
        let uses = entries.withLock { entries in
            let uses = entries.compactMapValues(\.unsavedUse)
            for (id, time) in uses {
                entries[id]?.login.lastUsedAt = time
                entries[id]?.unsavedUse = nil
            }
            return uses
        }
        let ends = entries.withLock { entries in
            uses.keys.compactMap { id in entries[id].map { (id, $0.login.expiresAt) } }
        }
        if !uses.isEmpty {
            try await store.write { transaction in
                try transaction.noteUse(ofLogins: uses)
                let known = Set(try transaction.logins().map(\.id))
                for (id, end) in ends where known.contains(id) { try transaction.extendLogin(id, until: end) }
            }
        }
        while true {
            let removed = try await store.write(inBackground: true) { try $0.removeExpiredLogins() }
            if removed.isEmpty { return }
            forget(removed)
        }
    }
}

/// The two secrets of a new login. Only their digests are kept.
struct LoginSecrets: Sendable {
    let id: String
    /// The value of the cookie: `<id>.<secret>`.
    let cookie: String
    /// What the pages send in ``pageHeader``.
    let page: String

    /// The header with the half that the pages keep.
    static let pageHeader = "Parley-Page"

    init() {
        id = Self.random(12)
        cookie = "\(id).\(Self.random(32))"
        page = Self.random(32)
    }

    /// The SHA-256 of one of them.
    static func digest(_ secret: String) -> [UInt8] { SHA256.hash(Array(secret.utf8)) }

    /// Random bytes for a secret, as base64url.
    ///
    /// - Parameter count: the number of bytes.
    static func random(_ count: Int) -> String {
        // The system's generator is `getrandom`, which is made for secrets.
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<count).map { _ in generator.next() as UInt8 })
    }
}

/// The cookie of a login. Browsers share cookies between the ports of a host, so its name contains the gateway's instance.
struct LoginCookie: Sendable {
    /// Seconds for which a browser keeps it: 90 days, as long as any login lasts. The gateway decides when one ends.
    static let lifetime = 90 * 24 * 3600

    private let name: String

    init(instance: String) { name = "parley_p_\(instance)" }

    /// Behind a proxy that ends TLS the name has a prefix by which browsers take it from this host alone, and over TLS.
    private func name(isSecure: Bool) -> String { isSecure ? "__Host-\(name)" : name }

    /// The value that a request has; nil when it has no such cookie.
    func value(in request: HTTPRequest) -> Substring? {
        guard let header = request.headers["Cookie"] else { return nil }
        let name = name(isSecure: request.isSecure)
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" { return pair.dropFirst(name.count + 1) }
        }
        return nil
    }

    /// `HttpOnly` keeps scripts from reading the cookie, and `SameSite=Strict` keeps other sites from sending it. It is
    /// `Secure` only for a client that speaks TLS with a proxy, because the gateway itself speaks plain HTTP.
    ///
    /// - Parameter value: nil deletes the cookie.
    func header(_ value: String?, for request: HTTPRequest) -> (String, String) {
        let secure = request.isSecure ? "; Secure" : ""
        let lifetime = value == nil ? 0 : Self.lifetime
        return (
            "Set-Cookie",
            "\(name(isSecure: request.isSecure))=\(value ?? ""); Max-Age=\(lifetime); Path=/; HttpOnly; SameSite=Strict\(secure)"
        )
    }
}
