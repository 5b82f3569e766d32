/// JSON from outside that is not what it should be: all members that are to blame, so that its owner learns it at once.
package struct InvalidMembers: Error, Sendable, Hashable {
    /// At least one, in the order of reading; at most ``maximumFaults`` of one object.
    package let faults: [Fault]

    package static let maximumFaults = 32

    package struct Fault: Sendable, Hashable {
        package enum Kind: Sendable {
            case invalid, missing
            /// Where a URL leads is refused.
            case targetNotAllowed
        }

        /// A JSON Pointer (RFC 6901); empty for the whole value.
        package let pointer: String
        package let kind: Kind
        /// A sentence. It never holds the member's value, which may be a secret.
        package let reason: String

        init(pointer: String, kind: Kind = .invalid, reason: String) {
            self.pointer = pointer
            self.kind = kind
            self.reason = reason
        }
    }

    init(_ faults: [Fault]) { self.faults = faults }
}

extension InvalidMembers: CustomStringConvertible {
    package var description: String {
        faults.map { $0.pointer.isEmpty ? $0.reason : "\($0.pointer): \($0.reason)" }.joined(separator: " ")
    }
}
