import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// What the sandbox keeps beside a row of the store: what the platform knows of it and the embedded service does not.
protocol SandboxExtras: SendbirdShape {
    /// Of nothing that is out of the ordinary.
    init()
    /// Under which it is kept.
    static var key: String { get }
}

extension SandboxExtras {
    static var key: String { "sendbird" }
}

/// Extras with the platform's metadata.
protocol MetadataExtras: SandboxExtras {
    var metadata: [String: String] { get set }
}

extension ReadTransaction {
    /// Nil if nothing is kept.
    func kept<T: SandboxExtras>(_ type: T.Type = T.self, of row: ExtraRow) throws -> T? {
        try extra(T.key, of: row).flatMap { try? T(answer: $0, limit: ExtraRow.maximumByteCount) }
    }

    func extras(of account: AccountRecord) throws -> UserExtras {
        try kept(of: .account(account.number)) ?? UserExtras()
    }

    func extras(of thread: ThreadRecord) throws -> ChannelExtras {
        try kept(of: .thread(thread.number)) ?? ChannelExtras()
    }
}

extension WriteTransaction {
    /// Changes what is kept beside a row, and returns what the closure does.
    @discardableResult
    func change<E: SandboxExtras, T>(
        _ type: E.Type, of row: ExtraRow, _ work: (inout E) throws -> T
    ) throws -> T {
        var extras = try kept(E.self, of: row) ?? E()
        let before = extras
        let result = try work(&extras)
        if extras != before { try setExtra(E.key, of: row, to: extras.encoded) }
        return result
    }
}
