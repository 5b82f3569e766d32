/// The gateway in front of the platform failed: a frame with `message`, `connectionId` and `requestId`.
public struct GatewayError: Error, Sendable, Hashable {
    public var message: String
    public var connectionID: String
    public var requestID: String

    public init(message: String, connectionID: String, requestID: String) {
        self.message = message
        self.connectionID = connectionID
        self.requestID = requestID
    }
}

extension GatewayError: WireWritable {
    init?(_ value: WireValue) {
        guard let message = value["message"]?.string, value["eventId"] == nil,
              value["connectionId"] != nil || value["requestId"] != nil
        else { return nil }
        self.message = message
        connectionID = value["connectionId"]?.idText ?? ""
        requestID = value["requestId"]?.idText ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("message", message)
            writer.member("connectionId", connectionID)
            writer.member("requestId", requestID)
        }
    }
}
