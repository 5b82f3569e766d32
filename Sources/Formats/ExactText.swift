/// A text that equals another only if both have the same bytes of UTF-8.
///
/// `String` itself holds canonically equivalent texts for the same: "e" with an accent as one character and as two.
/// Names and texts from outside are kept as they came, so they are compared as bytes.
///
/// ```swift
/// let (one, two) = ("\u{E9}", "e\u{301}")
/// print(one == two, ExactText(one) == ExactText(two))  // true false
/// ```
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

/// Runs of combining marks in texts from outside.
///
/// `String` compares and hashes texts by Unicode's normal form, for which it sorts each run of combining marks. That
/// takes time that grows with the square of the run: 32,000 marks cost a second of the processor for one `==`. So a
/// text from outside must not have a long run.
package enum CombiningMarks {
    /// The longest run that a text may have. Texts for people have few marks in a row; Unicode's stream-safe format
    /// (UAX 15, 13) allows 30.
    package static let maximumRun = 256

    /// Whether the scalars have a longer run.
    package static func areTooMany(in scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var run = 0
        for scalar in scalars {
            run = isMark(scalar) ? run + 1 : 0
            if run > maximumRun { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // Below it there is none, and these are the scalars of most texts.
        guard scalar.value >= 0x300 else { return false }
        switch scalar.value {
        // Their class is 0, but they decompose into marks alone.
        case 0xF73, 0xF75, 0xF81: return true
        default: return scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
