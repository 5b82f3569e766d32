import Formats

/// A token of the application: `{"token", "created_at"}`.
package struct SendbirdAPIToken: SendbirdShape {
    package var token: String
    package var createdAt: UnixMilliseconds

    package init(token: String, createdAt: UnixMilliseconds) { (self.token, self.createdAt) = (token, createdAt) }

    package init?(_ value: SendbirdValue) {
        guard let token = value.id("token") else { return nil }
        self.init(token: token, createdAt: value.milliseconds("created_at") ?? .never)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("token", token)
            json.member("created_at", createdAt)
        }
    }
}

/// All of them: `{"api_tokens": [...]}`.
package struct SendbirdAPITokens: SendbirdShape {
    package var items: [SendbirdAPIToken]

    package init(_ items: [SendbirdAPIToken]) { self.items = items }

    package init?(_ value: SendbirdValue) {
        guard let items: [SendbirdAPIToken] = value.list("api_tokens") else { return nil }
        self.init(items)
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("api_tokens", items) } }
}
