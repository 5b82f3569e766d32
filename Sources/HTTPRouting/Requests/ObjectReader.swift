import Formats

/// The content of a route's JSON body, as a type that reads its own members.
package protocol RequestBody {
    /// Reads the members and reports faults to the reader. It must ask for every member that it knows, and cannot fail:
    /// the caller drops the value if there were faults.
    init(reading object: inout ObjectReader)
}

/// Reads the members of a JSON object and collects all faults, so that a caller learns of them in one answer.
///
/// Reading never stops: a missing or wrong `required` member gives a placeholder such as `""` or 0. Use what was read
/// only if ``problems`` is empty; ``read(_:ignoringUnknown:)`` sees to that. At most 32 faults are kept.
///
/// ```swift
/// struct Note: RequestBody {
///     let text: String
///     let isPinned: Bool
///
///     init(reading object: inout ObjectReader) {
///         text = object.requiredString("text", length: 1...4000)
///         isPinned = object.optionalBool("isPinned") ?? false
///     }
/// }
/// let note: Note = try ObjectReader.read(.object([JSONMember(name: "text", value: .string("Call back"))]))
/// print(note.text)
/// ```
package struct ObjectReader {
    private let members: [JSONMember]
    private let pointer: String
    /// The names that were asked for: few, so a set would cost more.
    private var known: [String] = []
    /// The faults so far, in the order of discovery.
    package private(set) var problems: [Problem.Item] = []

    /// - Parameter pointer: the JSON Pointer of the object in the body; empty for the body itself.
    package init(_ value: JSONValue, pointer: String = "") {
        self.pointer = pointer
        members = value.members ?? []
        known.reserveCapacity(12)
        if value.members == nil { reject(nil, "an object was expected, not \(value.kind)") }
    }

    /// Reads a whole body, and refuses members that the type did not ask for. Throws one ``Problem`` with all faults.
    ///
    /// - Parameter ignoringUnknown: takes members that the type did not ask for, except those of inner objects.
    @inlinable
    package static func read<T: RequestBody>(
        _ value: JSONValue, ignoringUnknown: Bool = false
    ) throws(Problem) -> T {
        try read(value, ignoringUnknown: ignoringUnknown, as: T.init(reading:))
    }

    /// The same for what needs more than the reader to be read.
    @inlinable
    package static func read<T>(
        _ value: JSONValue, ignoringUnknown: Bool = false, as make: (inout ObjectReader) -> T
    ) throws(Problem) -> T {
        var reader = ObjectReader(value)
        let body = make(&reader)
        if !ignoringUnknown { reader.finish() }
        if !reader.problems.isEmpty { throw Problem(items: reader.problems) }
        return body
    }

    /// Reports the members that nobody has asked for. Call it last, when all members have been read.
    package mutating func finish() {
        for member in members where !known.contains(where: { $0.hasSameBytes(as: member.name) }) {
            add(member.name, .unknownMember, "the operation does not know this member")
        }
    }

    /// The JSON Pointer of a member, escaped as RFC 6901, 3 says; of the object itself for nil.
    @usableFromInline
    func path(_ name: String?) -> String { name.map { Self.pointer(to: $0, in: pointer) } ?? pointer }

    /// The JSON Pointer of a member of the object at `pointer`.
    package static func pointer(to name: String, in pointer: String = "") -> String {
        "\(pointer)/\(name.escapedForPointer)"
    }

    private mutating func add(_ name: String?, _ kind: HTTPProblem, _ detail: String) {
        guard hasRoom else { return }
        problems.append(Problem.Item(ProblemKind(kind), pointer: path(name), detail))
    }

    /// Limits the faults: a hostile body could have a million unknown members, or a thousand inner objects with as many
    /// each.
    private var hasRoom: Bool { problems.count < Self.maximumProblems }
    private static let maximumProblems = 32

    /// Adds the faults of an inner object; their pointers are complete already.
    @usableFromInline
    mutating func addAll(_ inner: [Problem.Item]) {
        problems += inner.prefix(max(0, Self.maximumProblems - problems.count))
    }

    /// Reports a value that is not valid; of the object itself for nil.
    package mutating func reject(_ name: String?, _ detail: String) { add(name, .invalidValue, detail) }

    /// Reports a fault under a kind of problem that the application has added.
    package mutating func reject(_ name: String, _ kind: ProblemKind, _ detail: String) {
        guard hasRoom else { return }
        problems.append(Problem.Item(kind, pointer: path(name), detail))
    }

    /// The member's value, which may be `null`. Nil, and a fault reported, when the member is missing.
    package mutating func required(_ name: String) -> JSONValue? {
        guard let value = optional(name) else {
            add(name, .missingMember, "the operation needs this member")
            return nil
        }
        return value
    }

    /// The member's value, which may be `null`; nil when it is missing. The name counts as known from then on. Names
    /// are compared byte by byte, not by Unicode equivalence.
    package mutating func optional(_ name: String) -> JSONValue? {
        known.append(name)
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    private mutating func string(_ value: JSONValue?, _ name: String, _ length: ClosedRange<Int>) -> String? {
        guard let value else { return nil }
        guard let string = value.string else {
            reject(name, "a string was expected, not \(value.kind)")
            return nil
        }
        // Counted as JSON Schema does, in code points.
        guard string.utf8.count <= 4 * length.upperBound, length.contains(string.unicodeScalars.count) else {
            reject(name, "\(length.lowerBound) to \(length.upperBound) characters were expected")
            return nil
        }
        return string
    }

    /// A string whose length in Unicode code points is in the range; empty, and a fault reported, otherwise.
    package mutating func requiredString(_ name: String, length: ClosedRange<Int>) -> String {
        string(required(name), name, length) ?? ""
    }

    /// The same, or nil if the member is missing. `null` is a fault.
    package mutating func optionalString(_ name: String, length: ClosedRange<Int>) -> String? {
        string(optional(name), name, length)
    }

    /// The same for a text that rows are looked up by. U+0000 is a fault: not every database has texts with it.
    package mutating func requiredKey(_ name: String, length: ClosedRange<Int>) -> String {
        key(requiredString(name, length: length), name) ?? ""
    }

    package mutating func optionalKey(_ name: String, length: ClosedRange<Int>) -> String? {
        key(optionalString(name, length: length), name)
    }

    private mutating func key(_ text: String?, _ name: String) -> String? {
        guard let text, text.utf8.contains(0) else { return text }
        reject(name, "a text without the character U+0000 was expected")
        return nil
    }

    /// Checks a value as an id (``Identifier``). A nil value stays nil without a fault.
    package mutating func identifier(_ value: JSONValue?, _ name: String) -> String? {
        guard let value else { return nil }
        guard let id = value.string, Identifier.isValid(id) else {
            reject(name, "\(Identifier.rule) were expected")
            return nil
        }
        return id
    }

    /// An id; empty, and a fault reported, when it is missing or not valid.
    package mutating func requiredID(_ name: String) -> String { identifier(required(name), name) ?? "" }
    package mutating func optionalID(_ name: String) -> String? { identifier(optional(name), name) }

    private mutating func flag(_ value: JSONValue?, _ name: String) -> Bool? {
        guard let value else { return nil }
        guard let flag = value.bool else {
            reject(name, "true or false was expected, not \(value.kind)")
            return nil
        }
        return flag
    }

    /// A boolean; false, and a fault reported, when it is missing or of another type.
    package mutating func requiredBool(_ name: String) -> Bool { flag(required(name), name) ?? false }
    package mutating func optionalBool(_ name: String) -> Bool? { flag(optional(name), name) }

    /// A whole number in the range; nil if the member is missing. `100.0` counts as whole.
    package mutating func optionalInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = optional(name) else { return nil }
        guard let integer = value.wholeNumber.flatMap({ Int(exactly: $0) }), range.contains(integer) else {
            reject(name, "an integer from \(range.lowerBound) to \(range.upperBound) was expected")
            return nil
        }
        return integer
    }

    /// A whole number in the range; its lower bound, and a fault reported, otherwise.
    package mutating func requiredInteger(_ name: String, in range: ClosedRange<Int>) -> Int {
        guard required(name) != nil else { return range.lowerBound }
        return optionalInteger(name, in: range) ?? range.lowerBound
    }

    /// Any JSON number; 0, and a fault reported, otherwise.
    package mutating func requiredNumber(_ name: String) -> Double {
        guard let value = required(name) else { return 0 }
        switch value {
        case .number(let number): return number
        case .integer(let number): return Double(number)
        default:
            reject(name, "a number was expected, not \(value.kind)")
            return 0
        }
    }

    /// Checks that the value is the raw value of one of the choices. A nil value stays nil without a fault.
    @inlinable
    mutating func choice<T: RawRepresentable<String>>(_ value: JSONValue?, _ name: String, of choices: [T]) -> T? {
        guard let value else { return nil }
        guard let choice = value.string.flatMap(T.init(rawValue:)),
            choices.contains(where: { $0.rawValue == choice.rawValue })
        else {
            reject(name, "one of \(choices.map(\.rawValue).joined(separator: ", ")) was expected")
            return nil
        }
        return choice
    }

    /// One of the choices; nil, and a fault reported that lists them, when it is missing or another text.
    @inlinable
    package mutating func requiredChoice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        choice(required(name), name, of: choices)
    }

    @inlinable
    package mutating func optionalChoice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        choice(optional(name), name, of: choices)
    }

    /// Checks a value as an object whose values are all strings. Two names that are equal by Unicode equivalence are a
    /// fault, because a dictionary could keep only one of them.
    package mutating func strings(_ value: JSONValue?, _ name: String) -> [String: String]? {
        guard let value else { return nil }
        guard let members = value.members else {
            reject(name, "an object was expected, not \(value.kind)")
            return nil
        }
        var strings: [String: String] = [:]
        for member in members {
            var inner = ObjectReader(value, pointer: path(name))
            if strings[member.name] != nil {
                inner.reject(member.name, "by Unicode's rules this name is the same as an earlier one")
            } else if let string = member.value.string {
                strings[member.name] = string
            } else {
                inner.reject(member.name, "a string was expected, not \(member.value.kind)")
            }
            addAll(inner.problems)
        }
        return strings
    }

    /// Checks a value as an array of objects and reads each as `T`. Unknown members of the inner objects are faults.
    ///
    /// - Parameter count: the accepted number of items.
    @inlinable
    package mutating func objects<T: RequestBody>(
        _ value: JSONValue?, _ name: String, count: ClosedRange<Int> = 0...1000, as type: T.Type = T.self
    ) -> [T]? {
        objects(value, name, count: count, as: T.init(reading:))
    }

    /// The same for what needs more than the reader to be read.
    @inlinable
    package mutating func objects<T>(
        _ value: JSONValue?, _ name: String, count: ClosedRange<Int>, as make: (inout ObjectReader) -> T
    ) -> [T]? {
        guard let value else { return nil }
        guard let items = value.array else {
            reject(name, "an array was expected, not \(value.kind)")
            return nil
        }
        guard count.contains(items.count) else {
            reject(name, "\(count.lowerBound) to \(count.upperBound) items were expected")
            return nil
        }
        return items.enumerated().map { index, item in
            var inner = ObjectReader(item, pointer: "\(path(name))/\(index)")
            let object = make(&inner)
            inner.finish()
            addAll(inner.problems)
            return object
        }
    }

    /// Checks a value as an object and reads it as `T`; unknown members are faults. Nil when the value is missing or no
    /// object.
    @inlinable
    package mutating func object<T: RequestBody>(_ value: JSONValue?, _ name: String, as type: T.Type = T.self) -> T? {
        object(value, name, as: T.init(reading:))
    }

    /// The same for what needs more than the reader to be read.
    @inlinable
    package mutating func object<T>(
        _ value: JSONValue?, _ name: String, as make: (inout ObjectReader) -> T
    ) -> T? {
        guard let value else { return nil }
        var inner = ObjectReader(value, pointer: path(name))
        let object = make(&inner)
        inner.finish()
        addAll(inner.problems)
        return value.members == nil ? nil : object
    }
}

extension JSONValue {
    /// The number if it is whole and fits: JSON has only one type of number, so `100.0` counts as 100.
    package var wholeNumber: Int64? {
        if case .number(let number) = self { Int64(exactly: number) } else { integer }
    }
}
