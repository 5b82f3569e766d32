import ChatModel
import ChatStore
import Formats
import HTTPRouting
import Synchronization

/// The keys of programs: all of them in memory, and each change in the store first. Any thread may use it.
///
/// A gateway that takes over loads them when it holds the lease, before it answers.
package final class KeyRing: Sendable {
    /// An object, for a copy of a key costs a count for each of its members, at each request. Only under the lock.
    private final class Entry {
        var key: AccessKey
        let rights: Rights
        /// Orders the changes of a key as they were committed.
        let change: Int
        /// The last use, unless the store knows it.
        var unsavedUse: Timestamp?

        init(_ key: AccessKey, change: Int) {
            self.key = key
            self.change = change
            rights = Rights(
                scopes: ScopeSet(key.scopes.compactMap(Scope.init(rawValue:))), channels: key.channels.map { Set($0) })
        }

        /// The key with its last use.
        var shown: AccessKey {
            var key = key
            key.lastUsedAt = [key.lastUsedAt, unsavedUse].compactMap { $0 }.max()
            return key
        }

        /// Whether a text of this digest is the key's now. The time that it takes does not tell how much of a wrong one is
        /// right.
        func has(_ digest: [UInt8], at now: Timestamp) -> Bool {
            if key.hasExpired(at: now) { return false }
            if areSameSecret(key.digest, digest) { return true }
            guard let previous = key.previousDigest, let end = key.previousUntil, now < end else { return false }
            return areSameSecret(previous, digest)
        }
    }

    private let store: ChatStore
    private let entries = Mutex<[String: Entry]>([:])
    private let changes = Atomic(0)

    init(store: ChatStore) { self.store = store }

    /// Reads all keys. Call it once, before the gateway answers.
    func load() async throws(ChatError) {
        let keys = try await store.read { try $0.accessKeys() }
        entries.withLock { entries in
            for key in keys { entries[key.id] = Entry(key, change: 0) }
        }
    }

    // MARK: Reading

    /// Whether a text of this digest opens what the key opens now.
    func isValid(_ id: String, digest: [UInt8], at now: Timestamp) -> Bool {
        entries.withLock { $0[id]?.has(digest, at: now) } ?? false
    }

    /// The same for a request: if it is valid, this counts as a use of the key, to the minute.
    func use(_ id: String, digest: [UInt8], at now: Timestamp) -> Bool {
        entries.withLock { entries in
            guard let entry = entries[id], entry.has(digest, at: now) else { return false }
            if entry.unsavedUse.map({ now.milliseconds - $0.milliseconds >= 60_000 }) ?? true {
                entry.unsavedUse = now
            }
            return true
        }
    }

    /// The digest with this mark of a text that the key has at this time; nil when there is none.
    func digest(of id: String, marked mark: String, at now: Timestamp) -> [UInt8]? {
        key(id)?.digest(marked: mark, at: now)
    }

    /// What the key may do; nothing for one that has ended.
    func rights(of id: String) -> Rights { entries.withLock { $0[id]?.rights } ?? .none }

    /// The key; nil when there is none.
    package func key(_ id: String) -> AccessKey? { entries.withLock { $0[id]?.shown } }

    /// The key. Throws `unknownKey`.
    func known(_ id: String) throws(ChatError) -> AccessKey {
        guard let key = key(id) else { throw ChatError(.unknownKey, "There is no key \(id).") }
        return key
    }

    /// All keys, the oldest first.
    func all() -> [AccessKey] {
        entries.withLock { $0.values.map(\.shown) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    // MARK: Changing

    /// Stores a new key. Throws `tooManyKeys`.
    func add(_ key: AccessKey, receipt: Receipt?, _ entry: NewAuditEntry) async throws(ChatError) {
        try await store.write { transaction in
            try transaction.insert(key)
            try transaction.audit(entry)
            if let receipt { try transaction.record(receipt, Outcome(.created, id: key.id)) }
        }
        entries.withLock { $0[key.id] = Entry(key, change: 0) }
    }

    /// Changes a key. Throws `unknownKey`.
    func change(
        _ id: String, receipt: Receipt? = nil, _ entry: NewAuditEntry,
        _ change: @escaping @Sendable (inout AccessKey) throws -> Void
    ) async throws(ChatError) -> AccessKey {
        let (key, number) = try await store.write { [self] transaction in
            var key = try transaction.accessKey(id)
            try change(&key)
            try transaction.replace(key)
            try transaction.audit(entry)
            if let receipt { try transaction.record(receipt, Outcome(.ok, id: id)) }
            return (key, changes.add(1, ordering: .relaxed).newValue)
        }
        entries.withLock { entries in
            // Somebody may have removed it meanwhile, or a later change may have come here first.
            guard let known = entries[id], known.change < number else { return }
            entries[id] = Entry(key, change: number)
            entries[id]?.unsavedUse = known.unsavedUse
        }
        return key
    }

    /// Ends a key. Throws `unknownKey`.
    func remove(_ id: String, _ entry: NewAuditEntry) async throws(ChatError) {
        try await store.write { transaction in
            try transaction.removeAccessKey(id)
            try transaction.audit(entry)
        }
        entries.withLock { $0[id] = nil }
    }

    /// Stores when keys were used. Call it about once an hour, and before the end.
    func storeUse() async throws(ChatError) {
        let uses = entries.withLock { entries in
            let uses = entries.compactMapValues(\.unsavedUse)
            for (id, time) in uses {
                entries[id]?.key.lastUsedAt = time
                entries[id]?.unsavedUse = nil
            }
            return uses
        }
        if !uses.isEmpty { try await store.write { try $0.noteUse(ofKeys: uses) } }
    }
}

extension AccessKey {
    func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The text of a key: `plk_`, 8 characters of its id, 32 of the secret, and 6 that check the others; all of them base62.
///
/// The beginning is the same for all keys and the end is a check sum, so that scanners find keys in published code, and a
/// mistyped one is known without a look-up.
struct KeyText: Sendable {
    static let prefix = "plk_"
    private static let (idLength, secretLength, checkLength) = (8, 32, 6)
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    let id: String
    let text: String
    /// SHA-256 of the text. A slow hash would not help: nobody can guess 190 random bits.
    let digest: [UInt8]

    /// A new text. With an id it is another secret of that key.
    init(id: String? = nil) {
        // The system's generator is `getrandom`, which is made for secrets.
        var generator = SystemRandomNumberGenerator()
        func draw(_ count: Int) -> String {
            String(decoding: (0..<count).map { _ in Self.alphabet.randomElement(using: &generator)! }, as: UTF8.self)
        }
        self.id = id ?? draw(Self.idLength)
        let body = Self.prefix + self.id + draw(Self.secretLength)
        text = body + Self.check(of: body)
        digest = SHA256.hash(Array(text.utf8))
    }

    /// Reads a text that a client has sent. Nil when it is no key: by its form or by its check sum.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let bodyLength = Self.prefix.utf8.count + Self.idLength + Self.secretLength
        guard bytes.count == bodyLength + Self.checkLength, text.hasPrefix(Self.prefix),
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.alphabet.contains)
        else { return nil }
        let body = String(decoding: bytes[..<bodyLength], as: UTF8.self)
        guard Self.check(of: body).utf8.elementsEqual(bytes[bodyLength...]) else { return nil }
        id = String(decoding: bytes[Self.prefix.utf8.count...].prefix(Self.idLength), as: UTF8.self)
        self.text = text
        digest = SHA256.hash(bytes)
    }

    /// Whether a text claims to be a key. Tokens of sessions have a dot, and the gateway's token has another beginning.
    static func isMeant(by text: String) -> Bool {
        text.utf8.starts(with: prefix.utf8) && !text.utf8.contains(UInt8(ascii: "."))
    }

    /// CRC-32 as base62, with zeros in front.
    private static func check(of body: String) -> String {
        var rest = Int(CRC32.of(Array(body.utf8)))
        var digits: [UInt8] = []
        for _ in 0..<checkLength {
            digits.append(alphabet[rest % alphabet.count])
            rest /= alphabet.count
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}
