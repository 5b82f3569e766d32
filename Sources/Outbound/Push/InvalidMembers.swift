/// JSON from outside that is not what it should be: each member that is to blame, in the order of reading.
package struct InvalidMembers: Error, Sendable, Hashable {
    /// At least one.
    package let faults: [Fault]

    package struct Fault: Sendable, Hashable {
        /// A JSON Pointer (RFC 6901); empty for the whole value.
        package let pointer: String
        /// A sentence. It never holds the member's value, which may be a secret.
        package let reason: String
    }

    init(_ faults: [Fault]) { self.faults = faults }
}

extension InvalidMembers: CustomStringConvertible {
    package var description: String {
        faults.map { $0.pointer.isEmpty ? $0.reason : "\($0.pointer): \($0.reason)" }.joined(separator: " ")
    }
}
