import ChatModel
import ChatStore
import Crypto
import Formats
import SendbirdWire

/// The application's further tokens. They open all that its own token opens, but for these calls.
extension SendbirdSandbox {
    /// Their operations. Only the application's own token opens them.
    static let ownTokenOnly: Set<String> = ["listAPITokens", "createAPIToken", "getAPIToken", "revokeAPIToken"]

    /// `GET /applications/api_tokens`
    func apiTokens(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        SendbirdAPITokens(try await read { try $0.tokens(of: self).items })
    }

    /// `POST /applications/api_tokens`
    func createAPIToken(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let random = (0..<5).map { _ in store.environment.makeID() }.joined()
        let token = SendbirdAPIToken(
            token: Hexadecimal.encode(SHA256.hash(data: Array(random.utf8)).prefix(20)),
            createdAt: UnixMilliseconds(store.environment.now()))
        return try await write { transaction in
            let account = try transaction.openAccount(self.applicationKey)
            return try transaction.change(ApplicationTokens.self, of: .account(account.number)) { tokens in
                tokens.items.append(token)
                guard tokens.items.count <= ApplicationTokens.most else {
                    throw SendbirdError(.tooManyItems, "There are \(ApplicationTokens.most) tokens already.")
                }
                return token
            }
        }
    }

    /// `GET /applications/api_tokens/{token}`
    func apiToken(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let text = request.parameters["token"]
        return try await read { transaction in
            guard let token = try transaction.tokens(of: self).items.first(where: { $0.token.isSecretly(text) }) else {
                throw Self.noToken
            }
            return token
        }
    }

    /// `DELETE /applications/api_tokens/{token}`
    func revokeAPIToken(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let text = request.parameters["token"]
        return try await write { transaction in
            let account = try transaction.openAccount(self.applicationKey)
            return try transaction.change(ApplicationTokens.self, of: .account(account.number)) { tokens in
                guard let index = tokens.items.firstIndex(where: { $0.token.isSecretly(text) }) else {
                    throw Self.noToken
                }
                return tokens.items.remove(at: index)
            }
        }
    }

    private static let noToken = SendbirdError(.notFound, "No such token.")

    /// Throws 400401 for who has no token, and 400108 for what only the application's own one opens.
    func checkToken(_ given: String?, for operation: String) async throws(SendbirdError) {
        let given = given ?? ""
        if given.isSecretly(token) { return }
        guard !given.isEmpty, try await read({ try $0.tokens(of: self).items.contains { $0.token.isSecretly(given) } })
        else { throw SendbirdError(.tokenInvalid, "Invalid Api-Token.") }
        guard !Self.ownTokenOnly.contains(operation) else {
            throw SendbirdError(.notAuthorized, "Only the application's own token may do this.")
        }
    }
}
