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
        return next(name, after: &cursor).map(text)
    }

    /// The values of all fields of this name, in any letter case, in the order in which they came.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        var cursor = start
        while let value = next(name, after: &cursor) { values.append(text(value)) }
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

    /// The place of the next value of this name. Every request asks for a dozen names that it does not have, so a field
    /// whose name is of another length is passed over at once.
    private func next(_ name: String, after cursor: inout Int) -> Range<Int>? {
        var name = name
        return name.withUTF8 { wanted in
            arena.withUnsafeBufferPointer { bytes in
                while cursor < bytes.count {
                    let length = Int(bytes[cursor]) | Int(bytes[cursor + 1]) << 8
                    let valueLength = Int(bytes[cursor + 2]) | Int(bytes[cursor + 3]) << 8
                    let start = cursor + 4
                    cursor = start + length + valueLength
                    if length == wanted.count,
                        matches(wanted, UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
                    {
                        return start + length..<cursor
                    }
                }
                return nil
            }
        }
    }

    private func matches(_ wanted: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in wanted.indices where lowercased(wanted[index]) != lowercased(name[index]) { return false }
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: arena[range], as: UTF8.self) }
}

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
