/// Whether somebody answers on a live chat channel: the body of `GET .../availability`.
public struct WireAvailability: Sendable, Hashable {
    /// Anything but `online` counts as offline.
    public var isOnline: Bool

    public init(isOnline: Bool) { self.isOnline = isOnline }
}

extension WireAvailability: WireReadable, WireWritable, WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        self = try WireAvailability(try WireValue(json: json, limit: limit))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { write(to: &$0) } }

    public init(_ value: WireValue) throws(WireError) {
        let status: String = try value.required("status")
        isOnline = status == "online"
    }

    public func write(to writer: inout WireWriter) {
        writer.object { $0.member("status", isOnline ? "online" : "offline") }
    }
}
