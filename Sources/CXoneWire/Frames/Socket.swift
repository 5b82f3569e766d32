import Formats

/// The query of the WebSocket's URL: who opens it, and where. The order of the parameters has no meaning.
public struct SocketQuery: Sendable, Hashable {
    public var brandID: Int
    public var channelID: String
    /// The app's installation, as in the analytics' URLs.
    public var visitorID: String?
    /// `ios`, `android` or `web`: a server has to know whom it serves.
    public var sdkPlatform: String?
    public var sdkVersion: String?
    /// On secured sessions only: names the customer to the server. It is a secret, so the URL must not be logged.
    public var transactionToken: String?
    /// Sent by web clients without a secured session.
    public var customerID: String?

    public init(
        brandID: Int, channelID: String, visitorID: String?, sdkPlatform: String?, sdkVersion: String?,
        transactionToken: String? = nil, customerID: String? = nil
    ) {
        self.brandID = brandID
        self.channelID = channelID
        self.visitorID = visitorID
        self.sdkPlatform = sdkPlatform
        self.sdkVersion = sdkVersion
        self.transactionToken = transactionToken
        self.customerID = customerID
    }

    /// Reads what follows the `?`, without it. Of a parameter that comes twice the first counts; an empty one
    /// counts as absent. Throws ``WireError`` for bad percent encoding, and without `brandId` and `channelId`.
    public init(query: String) throws(WireError) {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(parts[0]).percentDecoded,
                let value = String(parts.count > 1 ? parts[1] : "").percentDecoded
            else { throw WireError(.invalid, "a percent sign must precede two hexadecimal digits of UTF-8") }
            if parameters[name] == nil, !value.isEmpty { parameters[name] = value }
        }
        guard let brand = parameters["brandId"] else { throw WireError(.missing, "it must be there", at: ["brandId"]) }
        guard let brandID = Int(brand) else { throw WireError(.invalid, "expected a whole number", at: ["brandId"]) }
        guard let channelID = parameters["channelId"] else {
            throw WireError(.missing, "it must be there", at: ["channelId"])
        }
        self.init(
            brandID: brandID, channelID: channelID, visitorID: parameters["visitorId"],
            sdkPlatform: parameters["sdkPlatform"], sdkVersion: parameters["sdkVersion"],
            transactionToken: parameters["transactionToken"], customerID: parameters["customerId"])
    }

    /// What follows the `?`, in the iOS SDK's order.
    public var query: String {
        let parameters: [(String, String?)] = [
            ("brandId", String(brandID)), ("channelId", channelID), ("visitorId", visitorID),
            ("sdkPlatform", sdkPlatform), ("sdkVersion", sdkVersion), ("customerId", customerID),
            ("transactionToken", transactionToken),
        ]
        return parameters.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
            .joined(separator: "&")
    }
}

/// The pongs that one side of a WebSocket owes.
///
/// Only one pong is being sent at a time. Of the pings that come meanwhile only the last one is answered, as RFC
/// 6455 (5.5.3) allows. So a peer that sends pings and does not read costs no memory.
public struct PongQueue<Payload> {
    private var isUnderWay = false
    private var next: Payload?

    public init() {}

    /// A ping came. Returns the payload of the pong to send now; nil while another pong is being sent.
    public mutating func begin(_ payload: Payload) -> Payload? {
        if isUnderWay {
            next = payload
            return nil
        }
        isUnderWay = true
        return payload
    }

    /// A pong was sent. Returns the payload of the next one to send now, if a ping came meanwhile.
    public mutating func end() -> Payload? {
        defer { next = nil }
        isUnderWay = next != nil
        return next
    }
}
