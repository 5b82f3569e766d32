import Formats
import MicroHTTP

/// The parameters of a path, by the names that the template has in braces.
package struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    init() { values.reserveCapacity(3) }

    /// Adds a decoded value. The first value of a name counts.
    mutating func append(_ name: String, _ value: String) { values.append((name, value)) }

    /// The decoded value; empty when the route has no such parameter. A parameter's own value is never empty, except
    /// that of `{path}`.
    package subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }

    /// Reads a segment as an id: percent-decoded, and under the rule for ids.
    ///
    /// Nil for anything else. No resource has such an id, so the path is answered with 404.
    static func value(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
        guard segment.count > 0, segment.count <= Identifier.maximumLength * 3 else { return nil }
        let text =
            segment.contains(UInt8(ascii: "%")) ? percentDecoded(segment) : String(decoding: segment, as: UTF8.self)
        return Identifier.isValid(text) ? text : nil
    }
}
