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
