import Formats
import MicroHTTP

/// The values of a path's parameters.
package struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    init() { values.reserveCapacity(3) }

    mutating func append(_ name: String, _ value: String) { values.append((name, value)) }

    /// Empty when the route has no such parameter.
    package subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }

    /// A segment as an id: decoded, 1 to 128 printable ASCII characters. Nil for anything else, since no id is like that.
    static func value(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
        guard segment.count > 0, segment.count <= Identifier.maximumLength * 3 else { return nil }
        let text = segment.contains(UInt8(ascii: "%")) ? percentDecoded(segment) : String(decoding: segment, as: UTF8.self)
        return Identifier.isValid(text) ? text : nil
    }
}
