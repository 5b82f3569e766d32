/// Says that a request was taken. Web clients wait for one after every request.
public struct Acknowledgement: Sendable, Hashable {
    public var eventID: String
    public var status: String?
    public var createdAt: WireTime?

    public init(eventID: String, status: String? = "success", createdAt: WireTime? = nil) {
        self.eventID = eventID
        self.status = status
        self.createdAt = createdAt
    }
}

extension Acknowledgement: WireWritable {
    init(_ value: WireValue, eventID: String) throws(WireError) {
        self.eventID = eventID
        status = try value.optional("status")
        createdAt = try value.optional("createdAt")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("eventId", eventID)
            writer.member("status", ifPresent: status)
            writer.member("createdAt", ifPresent: createdAt)
        }
    }
}
