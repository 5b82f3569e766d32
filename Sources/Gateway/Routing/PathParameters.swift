import Formats
import MicroHTTP

/// The values of a path's parameters.
public struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    init() { values.reserveCapacity(3) }

    mutating func append(_ name: String, _ value: String) { values.append((name, value)) }

    /// Empty when the route has no such parameter.
    public subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }

    /// A segment as an id: decoded, 1 to 128 printable ASCII characters. Nil for anything else, since no id is like that.
    static func value(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
        guard segment.count > 0, segment.count <= 128 * 3 else { return nil }
        let text = segment.contains(UInt8(ascii: "%")) ? percentDecoded(segment) : String(decoding: segment, as: UTF8.self)
        return Identifier.isValid(text) ? text : nil
    }
}

/// What ids of sessions, threads, messages, channels and customers look like.
public enum Identifier {
    public static let maximumLength = 128

    /// 1 to 128 printable ASCII characters.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...maximumLength).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The id as a segment of a path.
    public static func percentEncoded(_ id: String) -> String { id.percentEncoded }
}
