/// A JSON value as it was read: members keep their order.
///
/// ```swift
/// let body = try JSONParser.parse(Array(#"{"text":"Hello","tags":["a"]}"#.utf8))
/// print(body["text"]?.string ?? "", body["tags"]?.array?.count ?? 0)  // Hello 1
/// ```
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

extension JSONValue {
    /// Makes the value, with all that it contains, of the nodes of a text.
    ///
    /// Throws for a member that appears twice in its object, and for a number beyond the range of `Double`.
    init(text: UnsafeBufferPointer<UInt8>, nodes: [JSONNode]) throws(JSONSyntaxError) {
        var tree = JSONTree(text: text, nodes: nodes)
        self = try tree.value()
    }
}

/// Makes values of nodes, from the first node to the last.
private struct JSONTree {
    let text: UnsafeBufferPointer<UInt8>
    let nodes: [JSONNode]
    private var position = 0

    init(text: UnsafeBufferPointer<UInt8>, nodes: [JSONNode]) {
        self.text = text
        self.nodes = nodes
    }

    mutating func value() throws(JSONSyntaxError) -> JSONValue {
        let node = nodes[position]
        position += 1
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string: return .string(node.string(in: text))
        case .number: return try number(node)
        case .array:
            var items: [JSONValue] = []
            while position < node.next { items.append(try value()) }
            return .array(items)
        case .object: return .object(try members(until: Int(node.next)))
        }
    }

    private mutating func members(until end: Int) throws(JSONSyntaxError) -> [JSONMember] {
        var members: [JSONMember] = []
        // Up to some members a scan is fastest; beyond, a set keeps hostile objects linear.
        var seen: Set<ExactText> = []
        while position < end {
            let node = nodes[position]
            let name = node.string(in: text)
            let isDuplicate =
                members.count < 16
                ? members.contains { $0.name.hasSameBytes(as: name) } : !seen.insert(ExactText(name)).inserted
            if isDuplicate { throw JSONSyntaxError(reason: "the member appears twice", offset: Int(node.start) - 1) }
            position += 1
            members.append(JSONMember(name: name, value: try value()))
            if members.count == 16 { seen = Set(members.map { ExactText($0.name) }) }
        }
        return members
    }

    private func number(_ node: JSONNode) throws(JSONSyntaxError) -> JSONValue {
        let spelling = String(decoding: UnsafeBufferPointer(rebasing: text[node.range]), as: UTF8.self)
        if node.isPlain, let integer = Int64(spelling) { return .integer(integer) }
        guard let number = Double(spelling), number.isFinite else {
            throw JSONSyntaxError(reason: "the number is too large", offset: Int(node.start))
        }
        return .number(number)
    }
}

/// A JSON text that has been checked. Its values are made only when they are asked for.
///
/// If a name appears twice in an object, ``JSONElement/subscript(_:)`` finds the first member. A number keeps its
/// spelling, so that no digit is lost.
public final class JSONText: Sendable {
    let bytes: [UInt8]
    let nodes: [JSONNode]

    /// - Parameter limitsMarks: as in ``JSONParser/parse(_:limitsMarks:)``.
    public init(_ bytes: [UInt8], limitsMarks: Bool = false) throws(JSONSyntaxError) {
        let parsed = bytes.withUnsafeBufferPointer { text -> Result<[JSONNode], JSONSyntaxError> in
            do throws(JSONSyntaxError) {
                return .success(try JSONParser.nodes(of: text, limitsMarks: limitsMarks))
            } catch {
                return .failure(error)
            }
        }
        self.bytes = bytes
        nodes = try parsed.get()
    }

    /// `{}`
    public static let emptyObject = JSONText()

    private init() {
        bytes = Array("{}".utf8)
        nodes = [JSONNode(kind: .object, isPlain: true, start: 0, end: 2, next: 1)]
    }

    /// The outermost value.
    public var root: JSONElement { JSONElement(text: self, node: 0) }
}

/// One value of a ``JSONText``.
public struct JSONElement: Sendable {
    let text: JSONText
    let node: Int

    public var kind: JSONKind { text.nodes[node].kind }

    /// The value of the object's member of that name, be it null. Nil if there is none, or if this is no object.
    public subscript(name: StaticString) -> JSONElement? {
        guard kind == .object else { return nil }
        return text.bytes.withUnsafeBufferPointer { bytes in
            text.nodes.withUnsafeBufferPointer { nodes in
                var child = node + 1
                while child < nodes[node].next {
                    if nodes[child].isString(name, in: bytes) { return JSONElement(text: text, node: child + 1) }
                    child = Int(nodes[child + 1].next)
                }
                return nil
            }
        }
    }

    /// The names and values of an object, in the text's order. Nil if this is none.
    public var members: [(name: String, value: JSONElement)]? {
        guard kind == .object else { return nil }
        var members: [(String, JSONElement)] = []
        var child = node + 1
        while child < text.nodes[node].next {
            members.append((string(ofNode: child), JSONElement(text: text, node: child + 1)))
            child = Int(text.nodes[child + 1].next)
        }
        return members
    }

    /// The values of an array. Nil if this is none.
    public var elements: [JSONElement]? {
        guard kind == .array else { return nil }
        var elements: [JSONElement] = []
        var child = node + 1
        while child < text.nodes[node].next {
            elements.append(JSONElement(text: text, node: child))
            child = Int(text.nodes[child].next)
        }
        return elements
    }

    /// Whether this is an array or an object with nothing in it.
    public var isEmpty: Bool { (kind == .array || kind == .object) && text.nodes[node].next == node + 1 }

    /// The text of a string. Nil if this is none.
    public var string: String? { kind == .string ? string(ofNode: node) : nil }

    /// A number as it is spelled. Nil if this is none.
    public var number: String? {
        kind == .number ? String(decoding: text.bytes[text.nodes[node].range], as: UTF8.self) : nil
    }

    /// The bytes of the value as they stand in the text, a string's quotes included.
    public var bytes: ArraySlice<UInt8> {
        let range = text.nodes[node].range
        return kind == .string ? text.bytes[range.lowerBound - 1...range.upperBound] : text.bytes[range]
    }

    private func string(ofNode node: Int) -> String {
        text.bytes.withUnsafeBufferPointer { text.nodes[node].string(in: $0) }
    }
}
