import Formats

/// Writes a frame's JSON text, members in the order of the calls. Only this module makes it. The caller must keep
/// names and values in turn: nothing checks that.
public struct WireWriter: Sendable {
    /// Whose frame is written. Servers and clients spell times, and a few other values, differently.
    enum Side: Sendable { case client, server }

    let side: Side
    private var json = JSONWriter(reservingCapacity: 1024)

    private init(side: Side) { self.side = side }

    /// Returns the text that `write` writes, which must be one value.
    static func text(side: Side, _ write: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter(side: side)
        write(&writer)
        return writer.json.bytes
    }

    /// Writes an object whose members the closure writes: each a name and then one value.
    mutating func object(_ members: (inout WireWriter) -> Void) {
        json.beginObject()
        members(&self)
        json.endObject()
    }

    /// Writes an array whose elements the closure writes, each one value.
    mutating func array(_ elements: (inout WireWriter) -> Void) {
        json.beginArray()
        elements(&self)
        json.endArray()
    }

    /// Writes a member's name; the caller must write one value next.
    mutating func name(_ name: StaticString) { json.name(name) }

    /// A name that comes from data.
    mutating func name(_ name: String) { json.name(name) }

    /// Adds text that must be valid JSON already.
    mutating func raw(_ text: some Collection<UInt8>) { json.raw(text) }

    /// Writes null as the value.
    mutating func null() { json.raw("null") }

    mutating func string(_ string: String) { json.value(string) }

    mutating func number(_ number: Int) { json.value(number) }

    mutating func flag(_ flag: Bool) { json.value(flag) }
}

/// What can be written into a frame, as one JSON value.
public protocol WireWritable: Sendable {
    func write(to writer: inout WireWriter)
}

extension WireWriter {
    mutating func member(_ name: StaticString, _ value: some WireWritable) {
        self.name(name)
        value.write(to: &self)
    }

    /// Leaves the member out when there is no value.
    mutating func member(_ name: StaticString, ifPresent value: (some WireWritable)?) {
        if let value { member(name, value) }
    }

    /// Writes null when there is no value. Some SDKs need the member.
    mutating func member(_ name: StaticString, orNull value: (some WireWritable)?) {
        self.name(name)
        if let value { value.write(to: &self) } else { null() }
    }

    mutating func object(_ name: StaticString, _ members: (inout WireWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// `"name": {"id": ...}`
    mutating func nested(_ name: StaticString, id: String) {
        object(name) { $0.member("id", id) }
    }
}

extension String: WireWritable {
    public func write(to writer: inout WireWriter) { writer.string(self) }
}

extension Bool: WireWritable {
    public func write(to writer: inout WireWriter) { writer.flag(self) }
}

extension Int: WireWritable {
    public func write(to writer: inout WireWriter) { writer.number(self) }
}

extension Double: WireWritable {
    /// Whole numbers without a fraction, which readers of integers want; what is no number as null.
    public func write(to writer: inout WireWriter) {
        if let integer = Int(exactly: self) {
            integer.write(to: &writer)
        } else if isFinite {
            writer.raw(description.utf8)
        } else {
            writer.null()
        }
    }
}

extension Timestamp: WireWritable {
    /// In seconds, because a fraction breaks the iOS SDK. Clients write `2026-03-02T09:15:04Z` and servers
    /// `2026-03-02T09:15:04+00:00`, as the SDKs and the platform do.
    public func write(to writer: inout WireWriter) {
        writer.string(rfc3339(hasMilliseconds: false, zone: writer.zone))
    }
}

extension WireWriter {
    fileprivate var zone: String { side == .client ? "Z" : "+00:00" }

    /// Writes a time with milliseconds. Only members whose names say so (`createdAtWithMilliseconds`) may have a
    /// fraction.
    mutating func member(_ name: StaticString, milliseconds time: Timestamp?) {
        guard let time else { return }
        self.name(name)
        string(time.rfc3339(hasMilliseconds: true, zone: zone))
    }
}

extension Array: WireWritable where Element: WireWritable {
    public func write(to writer: inout WireWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}

/// A name from a set that the platform may extend. Unknown names are kept as they are, and written back
/// unchanged.
public protocol WireName: RawRepresentable, WireReadable, WireWritable, Hashable where RawValue == String {
    init(rawValue: String)
}

extension WireName {
    public init(_ value: WireValue) throws(WireError) { self.init(rawValue: try String(value)) }

    public func write(to writer: inout WireWriter) { writer.string(rawValue) }
}
