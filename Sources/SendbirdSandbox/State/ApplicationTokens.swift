import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// The tokens that a program has made beside the application's own one. They stand beside the account of the
/// application.
struct ApplicationTokens: SandboxExtras {
    static let key = "sendbird.tokens"
    /// The platform tells no bound.
    static let most = 20

    var items: [SendbirdAPIToken] = []

    init() {}

    init?(_ value: SendbirdValue) { items = value.list("items") ?? [] }

    func write(to json: inout JSONWriter) { json.object { $0.member("items", items) } }
}

extension ReadTransaction {
    func tokens(of sandbox: SendbirdSandbox) throws -> ApplicationTokens {
        guard let account = try account(sandbox.applicationKey) else { return ApplicationTokens() }
        return try kept(of: .account(account.number)) ?? ApplicationTokens()
    }
}
