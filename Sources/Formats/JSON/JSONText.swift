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
