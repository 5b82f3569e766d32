import Formats

/// Reads the members of a JSON object and collects everything that is wrong, so that a caller learns it all at once.
package struct ObjectReader {
    private let members: [JSONMember]
    private let pointer: String
    private var known: Set<ExactText> = []
    package private(set) var problems: [Problem.Item] = []

    /// - Parameter pointer: where the object stands in the body, a JSON Pointer.
    package init(_ value: JSONValue, pointer: String = "") {
        self.pointer = pointer
        members = value.members ?? []
        if value.members == nil { reject(nil, "an object was expected, not \(value.kind)") }
    }

    /// Reads a whole body. Throws one ``Problem`` with all that is wrong.
    @inlinable
    package static func read<T: RequestBody>(_ value: JSONValue) throws(Problem) -> T {
        var reader = ObjectReader(value)
        let body = T(reading: &reader)
        reader.finish()
        if !reader.problems.isEmpty { throw Problem(items: reader.problems) }
        return body
    }

    /// Reports the members that nobody asked for.
    package mutating func finish() {
        for member in members where !known.contains(ExactText(member.name)) {
            add(member.name, .unknownMember, "the operation does not know this member")
        }
    }

    @usableFromInline
    func path(_ name: String?) -> String {
        guard let name else { return pointer }
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return "\(pointer)/\(name)"
        }
        var escaped = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return "\(pointer)/\(escaped)"
    }

    private mutating func add(_ name: String?, _ kind: HTTPProblem, _ detail: String) {
        guard hasRoom else { return }
        problems.append(Problem.Item(ProblemKind(kind), pointer: path(name), detail))
    }

    /// A hostile body could have a million unknown members, or a thousand inner objects with as many each.
    private var hasRoom: Bool { problems.count < Self.maximumProblems }
    private static let maximumProblems = 32

    /// Adds what is wrong with an inner object.
    @usableFromInline
    mutating func take(_ inner: [Problem.Item]) {
        problems += inner.prefix(max(0, Self.maximumProblems - problems.count))
    }

    /// Says that a member's value is not valid.
    package mutating func reject(_ name: String?, _ detail: String) { add(name, .invalidValue, detail) }

    /// Says what is wrong with a member by a kind of problem of the application's own.
    package mutating func reject(_ name: String, _ kind: ProblemKind, _ detail: String) {
        guard hasRoom else { return }
        problems.append(Problem.Item(kind, pointer: path(name), detail))
    }

    /// The member's value; nil and reported when it is missing.
    package mutating func required(_ name: String) -> JSONValue? {
        guard let value = optional(name) else {
            add(name, .missingMember, "the operation needs this member")
            return nil
        }
        return value
    }

    package mutating func optional(_ name: String) -> JSONValue? {
        known.insert(ExactText(name))
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

    package mutating func requiredString(_ name: String, length: ClosedRange<Int>) -> String {
        string(required(name), name, length) ?? ""
    }

    package mutating func optionalString(_ name: String, length: ClosedRange<Int>) -> String? {
        string(optional(name), name, length)
    }

    package mutating func identifier(_ value: JSONValue?, _ name: String) -> String? {
        guard let value else { return nil }
        guard let id = value.string, Identifier.isValid(id) else {
            reject(name, "1 to 128 printable ASCII characters were expected")
            return nil
        }
        return id
    }

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

    package mutating func requiredBool(_ name: String) -> Bool { flag(required(name), name) ?? false }
    package mutating func optionalBool(_ name: String) -> Bool? { flag(optional(name), name) }

    package mutating func optionalInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = optional(name) else { return nil }
        guard let integer = value.wholeNumber.flatMap({ Int(exactly: $0) }), range.contains(integer) else {
            reject(name, "an integer from \(range.lowerBound) to \(range.upperBound) was expected")
            return nil
        }
        return integer
    }

    package mutating func requiredInteger(_ name: String, in range: ClosedRange<Int>) -> Int {
        guard required(name) != nil else { return range.lowerBound }
        return optionalInteger(name, in: range) ?? range.lowerBound
    }

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

    @inlinable
    package mutating func requiredChoice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        choice(required(name), name, of: choices)
    }

    @inlinable
    package mutating func optionalChoice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        choice(optional(name), name, of: choices)
    }

    /// An object whose values are all strings.
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
                inner.reject(member.name, "Unicode holds this name and one before it for the same")
            } else if let string = member.value.string {
                strings[member.name] = string
            } else {
                inner.reject(member.name, "a string was expected, not \(member.value.kind)")
            }
            take(inner.problems)
        }
        return strings
    }

    /// An array of inner objects, each read by the type of its own.
    @inlinable
    package mutating func objects<T: RequestBody>(
        _ value: JSONValue?, _ name: String, count: ClosedRange<Int> = 0...1000, as type: T.Type = T.self
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
            let object = T(reading: &inner)
            inner.finish()
            take(inner.problems)
            return object
        }
    }

    /// An inner object, read by the type of its own.
    @inlinable
    package mutating func object<T: RequestBody>(_ value: JSONValue?, _ name: String, as type: T.Type = T.self) -> T? {
        guard let value else { return nil }
        var inner = ObjectReader(value, pointer: path(name))
        let object = T(reading: &inner)
        inner.finish()
        take(inner.problems)
        return value.members == nil ? nil : object
    }
}

extension JSONValue {
    /// JSON has one kind of number: `100.0` is a whole one.
    package var wholeNumber: Int64? {
        if case .number(let number) = self { Int64(exactly: number) } else { integer }
    }
}
