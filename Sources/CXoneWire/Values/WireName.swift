/// A name out of a set that the platform may extend: names that are not known are kept as they are.
public protocol WireName: RawRepresentable, WireReadable, WireWritable, Hashable where RawValue == String {
    init(rawValue: String)
}

extension WireName {
    public init(_ value: WireValue) throws(WireError) { self.init(rawValue: try String(value)) }

    public func write(to writer: inout WireWriter) { writer.string(rawValue) }
}
