import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import HTTPClientPort

/// Authorization by the mobile SDKs' rules. Secured sessions carry a transaction token in the socket's URL; the
/// others send `AuthorizeCustomer` or `ReconnectCustomer` over the open socket.
struct PlatformTokens {
    let account: ConnectedAccount

    // MARK: Secured sessions

    /// Opens the socket, with a token if the channel needs one.
    func openSocket() async throws(ChatError) -> any Socket {
        guard account.configuration.usesSecuredSessions else { return try await openSocket(token: nil) }
        let (token, isFresh) = try await transactionToken()
        do throws(ChatError) {
            return try await openSocket(token: token)
        } catch {
            // The platform may refuse a stored token before it expires: one new token is tried. A customer who
            // logged in has no way to get one without another login.
            guard !isFresh, account.configuration.authentication != .thirdPartyOAuth else { throw error }
            try await account.service.vault.update(account.record) { $0.transactionToken = nil }
            return try await openSocket(token: try await transactionToken().token)
        }
    }

    /// Opens the socket once. The transaction token stands in the URL's query (`SocketQuery`), so the URL must
    /// not be logged.
    private func openSocket(token: String?) async throws(ChatError) -> any Socket {
        let query = SocketQuery(
            brandID: account.address.brandID, channelID: account.address.channelID, visitorID: account.visitorID,
            sdkPlatform: PlatformHTTP.sdkPlatform, sdkVersion: PlatformHTTP.sdkVersion, transactionToken: token)
        do {
            return try await account.service.sockets.open("\(account.address.socket)?\(query.query)")
        } catch let refusal as AddressRefusal {
            throw ChatError(.serverError, refusal.detail)
        } catch {
            throw ChatError(.serverError, "The platform's socket could not be opened.")
        }
    }

    /// The token for the socket's URL: the stored one while it is valid, else a new one from the token account.service.
    ///
    /// - Returns: the token, and whether it was requested just account.now.
    ///
    /// Throws `transactionTokenExpired` where only another login gives a new one,
    /// `transactionTokenRequestFailed`, `missingParameter`.
    private func transactionToken() async throws(ChatError) -> (token: String, isFresh: Bool) {
        let known = try await account.service.vault.state(of: account.record)
        if let token = known.transactionToken {
            if !token.isExpired(at: account.now) { return (token.value, false) }
            if account.configuration.authentication == .thirdPartyOAuth {
                throw ChatError(.transactionTokenExpired, "The customer's login at the channel's service has expired.")
            }
        }
        let answer = try await requestToken(known)
        guard let token = answer.transactionToken else {
            throw ChatError(.transactionTokenRequestFailed, "The answer of the platform's token service has no token.")
        }
        let time = account.now
        try await account.service.vault.update(account.record) { state in
            state.transactionToken = AccountState.Token(token.token, expiresIn: token.expiresIn, now: time)
            if let thirdParty = answer.thirdParty { state.adopt(thirdParty, now: time) }
        }
        if let customer = answer.customer { try await adopt(customer) }
        return (token.token, true)
    }

    /// The request depends on how the channel authenticates: anonymous, by a cookie, or by an authorization code,
    /// which works once.
    private func requestToken(_ known: AccountState) async throws(ChatError) -> TokenAnswer {
        let (http, visitor) = (account.service.http, known.visitorID)
        switch account.configuration.authentication {
        case .anonymous:
            return try await http.token(.anonymous(WireCustomer(id: known.customerID)), for: visitor, account.address)
        case .securedCookie: return try await http.token(.securedCookie(), for: visitor, account.address)
        case .thirdPartyOAuth:
            guard let login = account.service.authorization(of: account.number) else { throw Self.loginIsMissing }
            let request = TokenRequest.authorizationCode(login.code, codeVerifier: login.codeVerifier)
            do throws(ChatError) {
                let answer = try await http.token(request, for: visitor, account.address)
                account.service.useUp(login, of: account.number)
                return answer
            } catch {
                throw judge(error, of: login)
            }
        }
    }

    /// Turns a failed login into the error for the client. A login that the platform refused is forgotten, and the
    /// client has to log in again (`invalidParameter`). After any other failure it is kept for the next
    /// connection.
    private func judge(_ error: ChatError, of login: Authorization) -> ChatError {
        guard error.code == .customerAssociationFailure else { return error }
        account.service.useUp(login, of: account.number)
        return ChatError(
            .invalidParameter, "The platform refused the login. \(error.detail)", pointer: "/authorization")
    }

    private static let loginIsMissing = ChatError(
        .missingParameter, "The channel's customers must log in: authorization is missing.", pointer: "/authorization")

    // MARK: Sessions that are not secured

    /// Sends `ReconnectCustomer` with the stored access token, else `AuthorizeCustomer`. A refused token is
    /// renewed once (`RefreshToken`); if that fails it is deleted. Throws `missingParameter` where a login is
    /// needed and none waits, `invalidParameter` for a refused one, `missingAccessToken`.
    func authorize() async throws(ChatError) {
        if let token = try await account.service.vault.state(of: account.record).accessToken {
            if try await reconnect(token.value) { return }
            // The token was refused: it is renewed once, and deleted if that fails.
            if let renewed = try? await refresh(token.value), try await reconnect(renewed) { return }
            try await account.service.vault.update(account.record) { $0.accessToken = nil }
        }
        let isOAuth = account.configuration.authentication == .thirdPartyOAuth
        let login = isOAuth ? account.service.authorization(of: account.number) : nil
        let authorized: ConsumerAuthorized
        do throws(ChatError) {
            authorized = try await authorize(with: login)
        } catch {
            guard isOAuth else { throw error }
            guard let login else { throw error.code == .customerAssociationFailure ? Self.loginIsMissing : error }
            throw judge(error, of: login)
        }
        if let login { account.service.useUp(login, of: account.number) }
        // Without OAuth the customer keeps the id that the client gave.
        guard isOAuth else { return }
        guard let token = authorized.accessToken else {
            throw ChatError(.missingAccessToken, "The platform's answer to the login has no access token.")
        }
        try await store(token)
        if let customer = authorized.customer { try await adopt(customer) }
    }

    private func authorize(with login: Authorization?) async throws(ChatError) -> ConsumerAuthorized {
        let request = AuthorizeCustomer(
            sdkPlatform: PlatformHTTP.sdkPlatform, sdkVersion: PlatformHTTP.sdkVersion, authorizationCode: login?.code,
            codeVerifier: login?.codeVerifier)
        return try await account.link.ask(.authorizeCustomer(request)) {
            (frame) throws(ChatError) -> ConsumerAuthorized in
            guard case .answer(.consumerAuthorized(let authorized), _) = frame else {
                throw ConnectedAccount.unexpected
            }
            return authorized
        }
    }

    /// Returns false when the platform refuses the token; any other failure is thrown.
    private func reconnect(_ token: String) async throws(ChatError) -> Bool {
        do throws(ChatError) {
            try await account.link.ask(.reconnectCustomer(accessToken: token))
            return true
        } catch {
            guard error.code == .customerAssociationFailure else { throw error }
            return false
        }
    }

    /// Sends `RefreshToken`, stores the new token and returns it.
    private func refresh(_ token: String) async throws(ChatError) -> String {
        let renewed = try await account.link.ask(.refreshToken(accessToken: token)) {
            (frame) throws(ChatError) -> AccessToken in
            guard case .answer(.tokenRefreshed(let token), _) = frame else { throw ConnectedAccount.unexpected }
            return token
        }
        try await store(renewed)
        return renewed.token
    }

    private func store(_ token: AccessToken) async throws(ChatError) {
        let time = account.now
        try await account.service.vault.update(account.record) {
            $0.accessToken = AccountState.Token(token.token, expiresIn: token.expiresIn, now: time)
        }
    }

    // MARK: Sending

    /// The token that goes with a message, renewed first if it has expired; nil if the session has none. Throws
    /// `tokenRefreshFailed`, and what the renewal over the socket throws.
    func messageToken() async throws(ChatError) -> String? {
        let known = try await account.service.vault.state(of: account.record)
        guard account.configuration.usesSecuredSessions else {
            guard let token = known.accessToken else { return nil }
            return token.isExpired(at: account.now) ? try await refresh(token.value) : token.value
        }
        guard let token = known.thirdPartyToken else { return nil }
        guard token.isExpired(at: account.now), let refreshToken = known.refreshToken else { return token.value }
        let answer: TokenAnswer
        do throws(ChatError) {
            answer = try await account.service.http.token(
                .refresh(refreshToken: refreshToken), for: known.visitorID, account.address)
        } catch {
            throw ChatError(.tokenRefreshFailed, error.detail)
        }
        guard let thirdParty = answer.thirdParty else {
            throw ChatError(.tokenRefreshFailed, "The platform's answer to the token refresh has no token.")
        }
        let time = account.now
        try await account.service.vault.update(account.record) { $0.adopt(thirdParty, now: time) }
        return thirdParty.accessToken
    }

    // MARK: The customer

    /// Takes the identity that the platform gave to the customer. Its id replaces the client's towards the
    /// platform; names and a picture that it does not tell stay.
    private func adopt(_ customer: WireCustomer) async throws(ChatError) {
        try await account.service.vault.update(account.record) { $0.customerID = customer.id }
        let number = account.number
        let names = try await account.store.write { transaction in
            var record = try transaction.account(number)
            let before = record.customer
            record.customer.firstName = customer.firstName?.cutToName ?? before.firstName
            record.customer.lastName = customer.lastName?.cutToName ?? before.lastName
            record.customer.imageURL = customer.picture ?? before.imageURL
            if record.customer != before { try transaction.save(record) }
            return record.customer
        }
        account.rename(to: names, id: customer.id)
    }
}

extension AccountState {
    /// An answer without a refresh token keeps the former one, as RFC 6749 (section 6) allows.
    fileprivate mutating func adopt(_ token: ThirdPartyToken, now: Timestamp) {
        thirdPartyToken = Token(token.accessToken, expiresIn: token.expiresIn, now: now)
        refreshToken = token.refreshToken ?? refreshToken
    }
}
