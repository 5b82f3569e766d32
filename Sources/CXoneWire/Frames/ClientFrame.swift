import Formats

/// A text frame from a client to the platform.
public enum ClientFrame: Sendable, Hashable {
    /// `{"action": "heartbeat"}`, answered by ``ServerFrame/pong``.
    case heartbeat
    /// Any other frame: an event with an `eventId`, under which the platform answers it.
    case request(ClientRequest)
}

extension ClientFrame: WireDocument {
    /// Reads what any of the three families of SDKs sends. Throws ``WireError``; it has the `eventId` if that
    /// could be read, so that the client can be answered.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        if value["action"]?.string == "heartbeat" {
            self = .heartbeat
        } else {
            self = .request(try ClientRequest(value))
        }
    }

    /// Writes it as the iOS SDK does.
    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            switch self {
            case .heartbeat: writer.object { $0.member("action", "heartbeat") }
            case .request(let request): request.write(to: &writer)
            }
        }
    }
}

/// An event in its envelope: `action`, `eventId`, `payload`.
public struct ClientRequest: Sendable, Hashable {
    /// A new id for each request; the answer repeats it.
    public var eventID: String
    /// `brand.id`: the customer company's account on the platform, also called tenant.
    public var brandID: Int
    /// `channel.id`: `chat_` and a UUID. One brand has many channels.
    public var channelID: String
    /// `customerIdentity` or `consumerIdentity`.
    public var customer: WireCustomer?
    /// `visitor.id`: the app's installation.
    public var visitorID: String?
    /// `destination.id`: the run of the app.
    public var destinationID: String?
    /// Sent by web clients.
    public var visitID: String?
    public var event: ClientEvent

    public init(
        eventID: String, brandID: Int, channelID: String, customer: WireCustomer?, visitorID: String?,
        destinationID: String? = nil, visitID: String? = nil, event: ClientEvent
    ) {
        self.eventID = eventID
        self.brandID = brandID
        self.channelID = channelID
        self.customer = customer
        self.visitorID = visitorID
        self.destinationID = destinationID
        self.visitID = visitID
        self.event = event
    }
}

extension ClientRequest: WireReadable, WireWritable {
    /// Reads the envelope and the event in it. The error names the path to the wrong member, and has the `eventId` and
    /// the `eventType` if they could be read.
    public init(_ value: WireValue) throws(WireError) {
        var eventType: String?
        do throws(WireError) {
            eventID = try value.id("eventId")
            let payload: WireValue = try value.inside("payload") { $0 }
            do throws(WireError) {
                eventType = try payload.required("eventType")
                brandID = try payload.inside("brand") { value throws(WireError) in try value.required("id") }
                channelID = try payload.inside("channel") { value throws(WireError) in try value.id("id") }
                customer = try payload.optional("customerIdentity", or: "consumerIdentity")
                visitorID = try payload.nestedID("visitor")
                destinationID = try payload.nestedID("destination")
                visitID = try payload.nestedID("visit")
                event = try ClientEvent(type: eventType ?? "", in: payload)
            } catch {
                throw error.within("payload")
            }
        } catch {
            throw error.of(eventID: value["eventId"]?.idText, eventType: eventType)
        }
    }

    /// `action` is `register` for `AuthorizeCustomer` and `chatWindowEvent` for all other events. The customer's member
    /// has the name that the iOS SDK uses for this event.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("action", event.isRegistration ? "register" : "chatWindowEvent")
            writer.member("eventId", eventID)
            writer.object("payload") { writer in
                writer.object("brand") { $0.member("id", brandID) }
                writer.nested("channel", id: channelID)
                if event.usesConsumerIdentity {
                    writer.member("consumerIdentity", ifPresent: customer)
                } else {
                    writer.member("customerIdentity", ifPresent: customer)
                }
                writer.member("eventType", event.type)
                if let destinationID { writer.nested("destination", id: destinationID) }
                if let visitorID { writer.nested("visitor", id: visitorID) }
                if let visitID { writer.nested("visit", id: visitID) }
                event.writeData(to: &writer)
            }
        }
    }
}

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
