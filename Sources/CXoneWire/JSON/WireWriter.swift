/// Writes a frame's JSON text. Made by this module alone.
public struct WireWriter: Sendable {
    /// Whose frame is written: servers and clients spell a few values differently.
    enum Side: Sendable { case client, server }

    let side: Side
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(side: Side) {
        self.side = side
        bytes.reserveCapacity(1024)
    }

    /// The text of one value, written by `side`.
    static func text(side: Side, _ write: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter(side: side)
        write(&writer)
        return writer.bytes
    }

    mutating func object(_ members: (inout WireWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func array(_ elements: (inout WireWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A name that comes from data.
    mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func raw(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    mutating func null() { raw("null".utf8) }

    mutating func string(_ string: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Copies runs that need no escape in one piece: most text has none.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: text[start..<index])
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
            case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
            case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            default:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        bytes.append(contentsOf: text[start...])
    }
}

/// What can be written into a frame.
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
    public func write(to writer: inout WireWriter) { writer.raw((self ? "true" : "false").utf8) }
}

extension Int: WireWritable {
    public func write(to writer: inout WireWriter) { writer.raw(String(self).utf8) }
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

extension Array: WireReadable where Element: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let elements = value.elements else { throw value.expected("an array") }
        self = []
        for (position, element) in elements.enumerated() {
            do throws(WireError) {
                append(try Element(element))
            } catch {
                throw error.within(position)
            }
        }
    }
}

extension Array: WireWritable where Element: WireWritable {
    public func write(to writer: inout WireWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}

/// A name out of a set that the platform may extend: names that are not known are kept as they are.
public protocol WireName: RawRepresentable, WireReadable, WireWritable, Hashable where RawValue == String {
    init(rawValue: String)
}

extension WireName {
    public init(_ value: WireValue) throws(WireError) { self.init(rawValue: try String(value)) }

    public func write(to writer: inout WireWriter) { writer.string(rawValue) }
}
