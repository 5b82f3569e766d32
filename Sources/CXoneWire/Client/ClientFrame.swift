/// A text frame from a client to the platform.
public enum ClientFrame: Sendable, Hashable {
    /// `{"action": "heartbeat"}`, answered by ``ServerFrame/pong``.
    case heartbeat
    case request(ClientRequest)
}

extension ClientFrame: WireDocument {
    /// Reads what any of the three families of SDKs sends.
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
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
