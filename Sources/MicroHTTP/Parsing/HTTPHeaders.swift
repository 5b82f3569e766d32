/// A request's header fields, in the order they came.
///
/// The bytes are in one array, which is shared with the request. Each access makes new Strings. A field is packed as
/// two 16-bit lengths (name, value), the name and the value.
public struct HTTPHeaders: Sendable, Sequence {
    let arena: [UInt8]
    let start: Int

    init(arena: [UInt8], start: Int) {
        self.arena = arena
        self.start = start
    }

    /// Fields for a request that did not come from a socket. Names and values must be shorter than 64 KiB.
    public init(_ fields: [(String, String)]) {
        var arena: [UInt8] = []
        for (name, value) in fields { HTTPHeaders.pack(name.utf8, value.utf8, into: &arena) }
        self.init(arena: arena, start: 0)
    }

    static func pack(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>, into arena: inout [UInt8]) {
        for length in [UInt16(name.count), UInt16(value.count)] {
            arena.append(UInt8(truncatingIfNeeded: length))
            arena.append(UInt8(truncatingIfNeeded: length >> 8))
        }
        arena.append(contentsOf: name)
        arena.append(contentsOf: value)
    }

    /// The value of the first field of this name, in any letter case; nil when there is none.
    public subscript(name: String) -> String? {
        var cursor = start
        while let field = field(at: &cursor) {
            if matches(field, name) { return String(decoding: arena[field.value], as: UTF8.self) }
        }
        return nil
    }

    /// The values of all fields of this name, in any letter case, in the order in which they came.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        var cursor = start
        while let field = field(at: &cursor) {
            if matches(field, name) { values.append(String(decoding: arena[field.value], as: UTF8.self)) }
        }
        return values
    }

    public func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var cursor = start
        return AnyIterator {
            guard let field = field(at: &cursor) else { return nil }
            return (
                String(decoding: arena[field.name], as: UTF8.self), String(decoding: arena[field.value], as: UTF8.self)
            )
        }
    }

    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private func field(at cursor: inout Int) -> Field? {
        guard cursor < arena.count else { return nil }
        let nameLength = Int(arena[cursor]) | Int(arena[cursor + 1]) << 8
        let valueLength = Int(arena[cursor + 2]) | Int(arena[cursor + 3]) << 8
        let name = cursor + 4
        let value = name + nameLength
        cursor = value + valueLength
        return Field(name: name..<value, value: value..<cursor)
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        let wanted = name.utf8
        guard wanted.count == field.name.count else { return false }
        return arena.withUnsafeBufferPointer { bytes in
            var index = field.name.lowerBound
            for byte in wanted {
                if lowercased(byte) != lowercased(bytes[index]) { return false }
                index += 1
            }
            return true
        }
    }
}

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
