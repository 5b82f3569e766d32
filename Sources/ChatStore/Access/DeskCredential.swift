import ChatModel

/// By what a device of the desk was registered. The device ends with it: who may not read the desk any more gets no pushes
/// either.
public enum DeskCredential: Sendable, Hashable {
    /// The login with this id.
    case login(String)
    /// The key with this id.
    case key(String)

    /// As the column `target.credential` has it.
    var text: String {
        switch self {
        case .login(let id): "login:\(id)"
        case .key(let id): "key:\(id)"
        }
    }

    /// Nil for a text that no credential has.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("login", 2): self = .login(parts[1])
        case ("key", 2): self = .key(parts[1])
        default: return nil
        }
    }
}

extension ReadTransaction {
    /// Throws `unknownLogin` or `unknownKey` for a credential that has ended, or that sees some channels only: it may have
    /// become so since the request was let in.
    func requireAllChannels(_ credential: DeskCredential) throws {
        switch credential {
        case .login(let id):
            let login = try login(id)
            guard try login.person == Login.operatorID || person(login.person).channels == nil else {
                throw ChatError(.unknownLogin, "The login \(id) sees some channels only.")
            }
        case .key(let id):
            guard try accessKey(id).channels == nil else {
                throw ChatError(.unknownKey, "The key \(id) sees some channels only.")
            }
        }
    }
}

extension WriteTransaction {
    /// Removes the desk's devices that were registered by these credentials, with their pushes. The delivery engine need
    /// not be told: it reads a device anew before each push.
    func removeDeskDevices(of credentials: [DeskCredential]) throws {
        guard !credentials.isEmpty else { return }
        let list = Placeholders(credentials.map { .text($0.text) })
        let ids = try db.all("SELECT id FROM target WHERE credential IN \(list.sql)", list.values) { $0.text(0) }
        for id in ids { try deleteTarget(id) }
    }
}
