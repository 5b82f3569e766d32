/// A value that Parley hands on as it is, because its shape is the business of others: its JSON text.
public struct RawJSON: Sendable, Hashable, WireReadable, WireWritable {
    public let bytes: [UInt8]

    /// Throws when `json` is not one JSON value.
    public init(json: [UInt8]) throws(WireError) {
        _ = try JSONIndex(json, limit: .max)
        bytes = json
    }

    public init(_ value: WireValue) {
        // A string's node lies between its quotes.
        let slice = value.index.slice(value.node)
        bytes = value.kind == .string ? [UInt8(ascii: "\"")] + slice + [UInt8(ascii: "\"")] : Array(slice)
    }

    static let emptyObject = RawJSON(unchecked: Array("{}".utf8))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    public func write(to writer: inout WireWriter) { writer.raw(bytes) }
}
