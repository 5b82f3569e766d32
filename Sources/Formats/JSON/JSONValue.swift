/// A JSON value as it was read: members keep their order.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or beyond 64 bits.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    public var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    public var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// What the value is, in JSON's own words; for error texts.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One member of a JSON object.
public struct JSONMember: Sendable, Equatable {
    public var name: String
    public var value: JSONValue

    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}
