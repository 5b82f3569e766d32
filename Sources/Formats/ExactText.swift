/// A text that equals another only if both have the same bytes of UTF-8.
///
/// `String` itself holds canonically equivalent texts for the same: "e" with an accent as one character and as two.
/// Names and texts from outside are kept as they came, so they are compared as bytes.
public struct ExactText: Sendable, Hashable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    public func hasSameBytes(as other: String) -> Bool {
        // Not `==` first: it sorts long runs of combining marks (``CombiningMarks``), also those of stored texts.
        guard utf8.count == other.utf8.count else { return false }
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }
}

extension String? {
    public func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.hasSameBytes(as: right)
        default: false
        }
    }
}

extension [String: String] {
    public func hasSameBytes(as other: [String: String]) -> Bool {
        count == other.count
            && allSatisfy { name, value in
                guard let index = other.index(forKey: name) else { return false }
                return other[index].key.hasSameBytes(as: name) && other[index].value.hasSameBytes(as: value)
            }
    }
}
