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
