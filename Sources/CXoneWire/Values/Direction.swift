/// Which way a message goes, from the server's point of view.
public enum Direction: String, Sendable, WireReadable, WireWritable {
    /// From the customer to the agent.
    case inbound
    /// From the agent to the customer.
    case outbound

    public init(_ value: WireValue) throws(WireError) {
        guard let direction = Direction(rawValue: try String(value).lowercased()) else {
            throw WireError(.invalid, "expected inbound or outbound")
        }
        self = direction
    }

    public func write(to writer: inout WireWriter) { writer.string(rawValue) }
}
