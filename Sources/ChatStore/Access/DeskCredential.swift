import ChatModel
import Formats

/// The login or key that registered a device of the desk. The device ends with it: who may not read the desk any more gets
/// no pushes either.
public enum DeskCredential: Sendable, Hashable {
    /// The login with this id.
    case login(String)
    /// The key with this id, by its text with this mark (``AccessKey/mark(of:)``).
    case key(String, mark: String)

    /// As the column `target.credential` has it.
    var text: String {
        switch self {
        case .login(let id): "login:\(id)"
        case .key(let id, let mark): "key:\(mark):\(id)"
        }
    }

    /// Nil for a text that no credential has.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("login", 2...): self = .login(String(text.dropFirst("login:".count)))
        case ("key", 3): self = .key(parts[2], mark: parts[1])
        default: return nil
        }
    }
}

extension AccessKey {
    /// The first 6 bytes of a digest, as base64url. Enough to tell the texts of one key apart.
    public static func mark(of digest: [UInt8]) -> String { Base64URL.encode(Array(digest.prefix(6))) }

    /// The digest with this mark of a text that the key has at this time; nil when there is none.
    public func digest(marked mark: String, at now: Timestamp) -> [UInt8]? {
        if let expiresAt, expiresAt <= now { return nil }
        if Self.mark(of: digest) == mark { return digest }
        guard let previousDigest, let previousUntil, now < previousUntil else { return nil }
        return Self.mark(of: previousDigest) == mark ? previousDigest : nil
    }
}

extension Login {
    /// Milliseconds for which a device gets pushes after the last use of a login through a proxy. The gateway does not learn
    /// of a sign-out at the proxy.
    private static let proxyPushLife: Int64 = 86_400_000

    /// Whether what it registered gets pushes at this time.
    fileprivate func takesPushes(at now: Timestamp) -> Bool {
        now < expiresAt && (how != Self.byProxy || now < lastUsedAt.advanced(byMilliseconds: Self.proxyPushLife))
    }
}

extension ReadTransaction {
    /// Whether a device that was registered by this credential gets pushes: it is valid at this time, and sees all channels.
    public func isCurrent(_ credential: DeskCredential, at now: Timestamp) throws -> Bool {
        switch credential {
        case .login(let id):
            guard let login = try logins(where: "id = ?", id).first, login.takesPushes(at: now) else { return false }
            if login.person == Login.operatorID { return true }
            let person = try person(login.person)
            return person.state == .active && person.channels == nil
        case .key(let id, let mark):
            guard let key = try accessKey(ifKnown: id), key.channels == nil else { return false }
            return key.digest(marked: mark, at: now) != nil
        }
    }
}

extension WriteTransaction {
    /// Removes the desk's devices that were registered by these logins, with their pushes. The delivery engine need not be
    /// told: it reads a device anew before each push.
    func removeDeskDevices(ofLogins ids: [String]) throws {
        guard !ids.isEmpty else { return }
        let list = Placeholders(ids.map { .text(DeskCredential.login($0).text) })
        let devices = try db.all("SELECT id FROM target WHERE credential IN \(list.sql)", list.values) { $0.text(0) }
        for id in devices { try deleteTarget(id) }
    }

    /// Removes the desk's devices whose logins and keys have ended. Call it about once an hour.
    public func removeLapsedDeskDevices() throws {
        let devices = try db.all("SELECT id, credential FROM target WHERE credential IS NOT NULL") {
            (id: $0.text(0), credential: DeskCredential(text: $0.text(1)))
        }
        for device in devices where try device.credential.map({ try !isCurrent($0, at: now) }) ?? true {
            try deleteTarget(device.id)
        }
    }
}

/// The digests by which keys, logins, invitations and pictures are found.
enum AccessDigest {
    /// SHA-256
    static let byteCount = 32
}

/// The forms of values that the tables of access have in common: lists of names are JSON arrays of strings, and what is
/// absent is null.
extension SQLValue {
    static func names(_ names: [String]) -> SQLValue {
        var json = JSONWriter()
        json.beginArray()
        for name in names { json.value(name) }
        json.endArray()
        return .blob(json.bytes)
    }

    static func optional(names: [String]?) -> SQLValue { names.map(SQLValue.names) ?? .null }
    static func optional(_ time: Timestamp?) -> SQLValue { optional(time?.milliseconds) }
    static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map(SQLValue.blob) ?? .null }
}

extension SQLRow {
    func time(_ column: Int32) -> Timestamp? { isNull(column) ? nil : Timestamp(milliseconds: integer(column)) }

    /// Nil for null. Throws ``ModelError`` for what is no array of strings.
    func names(_ column: Int32) throws -> [String]? {
        guard !isNull(column) else { return nil }
        guard let values = try JSONParser.parse(blob(column)).array else { throw ModelError(member: "names") }
        return try values.map { value in
            guard let name = value.string else { throw ModelError(member: "names") }
            return name
        }
    }
}
