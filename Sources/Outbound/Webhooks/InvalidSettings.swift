/// All that is wrong with the settings of a webhook, so that its owner learns it at once.
package struct InvalidSettings: Error, Sendable, Equatable {
    package enum Kind: Sendable {
        case invalidValue, missingMember
        /// The URL itself, or where it leads, is refused.
        case targetNotAllowed
    }

    package struct Fault: Sendable, Equatable {
        /// The member that is to blame, as a JSON Pointer (RFC 6901).
        package let pointer: String
        package let kind: Kind
        /// Says it in words, without the value.
        package let detail: String
    }

    /// At least one, at most ``maximumFaults``.
    package let faults: [Fault]

    package static let maximumFaults = 32
}
