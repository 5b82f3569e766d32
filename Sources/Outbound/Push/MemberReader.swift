import ChatModel
import Formats

/// Reads the members of an object from outside, and collects what is wrong with them.
struct MemberReader {
    /// Where the object stands: the beginning of each fault's pointer.
    let pointer: String
    private(set) var faults: [InvalidMembers.Fault] = []

    /// Why a member's value is not taken: a sentence without the value.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    init(pointer: String) { self.pointer = pointer }

    /// The member's value; nil when it is missing or refused, which is noted then.
    ///
    /// - Parameter member: a JSON Pointer from the object.
    mutating func read<T>(
        _ member: String, _ value: JSONValue?, _ parse: (JSONValue) throws(Refusal) -> T
    ) -> T? {
        guard let value else {
            refuse(member, "The member is missing.", .missing)
            return nil
        }
        do throws(Refusal) {
            return try parse(value)
        } catch {
            refuse(member, error.reason)
            return nil
        }
    }

    /// The same for a member that may be missing.
    mutating func readOptional<T>(
        _ member: String, _ value: JSONValue?, _ parse: (JSONValue) throws(Refusal) -> T
    ) -> T? {
        value == nil ? nil : read(member, value, parse)
    }

    /// Beyond ``InvalidMembers/maximumFaults`` nothing is noted.
    mutating func refuse(_ member: String, _ reason: String, _ kind: InvalidMembers.Fault.Kind = .invalid) {
        guard faults.count < InvalidMembers.maximumFaults else { return }
        faults.append(.init(pointer: pointer + member, kind: kind, reason: reason))
    }

    /// A member as a JSON Pointer; of a long name only the beginning.
    static func pointer(to name: String) -> String {
        "/" + name.cut(toScalars: 100).text.escapedForPointer
    }
}

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
