/// Takes the tokens out of frames.
package struct FrameSecrets: Sendable {
    private let names: [[UInt8]]
    private let segments: [String]
    private let values: [[UInt8]]

    /// - Parameters:
    ///   - names: of members and of parameters in a query, in lower case. A name that contains one of them is one, too.
    ///   - segments: of paths, behind which a token stands.
    ///   - values: tokens themselves, which a program may put anywhere.
    package init(_ names: [String], behind segments: [String] = [], values: [String] = []) {
        self.names = names.map { Array($0.utf8) }
        self.segments = segments
        self.values = values.map { Array($0.utf8) }
    }

    /// The same text with three dots for each text whose member has one of the names, or one that contains it. It must
    /// be JSON; other text is returned as it is.
    func removed(from text: [UInt8]) -> [UInt8] { withoutValues(removedMembers(of: text)) }

    private func removedMembers(of text: [UInt8]) -> [UInt8] {
        var strings = Strings(text: text)
        var kept: [UInt8] = []
        var start = 0
        var name: Range<Int>?
        while let string = strings.next() {
            if strings.isName {
                name = string
                continue
            }
            defer { name = nil }
            guard let before = name, strings.isValueOfName, isSecret(text[before]) else { continue }
            kept.append(contentsOf: text[start..<string.lowerBound])
            kept.append(contentsOf: "...".utf8)
            start = string.upperBound
        }
        if start == 0 { return text }
        return kept + text[start...]
    }

    /// Whether a name contains one of the names, in upper or lower case. It runs for every member of every frame, so it
    /// allocates only for names with escapes.
    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let name = name.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") } ? Self.plain(name)[...] : name
        return names.contains { secret in
            guard name.count >= secret.count else { return false }
            return (name.startIndex...(name.endIndex - secret.count)).contains { start in
                zip(name[start...], secret).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }

    /// A name without the escapes of JSON and of a query: `\u0074oken` and `%74oken` are `token`.
    private static func plain(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? 2 : 4
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { break }
                // Other escapes stand for no letter of a name; `\/` and the like stand for themselves.
                guard escaped == UInt8(ascii: "u") else {
                    plain.append(escaped)
                    continue
                }
            } else if byte != UInt8(ascii: "%") {
                plain.append(byte)
                continue
            }
            guard let code = UInt32(String(decoding: rest.prefix(digits), as: UTF8.self), radix: 16), code < 0x80 else {
                plain.append(UInt8(ascii: "?"))
                continue
            }
            plain.append(UInt8(code))
            rest = rest.dropFirst(digits)
        }
        return plain
    }

    /// Goes from string to string through JSON text.
    private struct Strings {
        let text: [UInt8]
        private(set) var isName = false
        /// Whether nothing but a colon and white space is between this string and the name before it.
        private(set) var isValueOfName = false
        private var position = 0

        init(text: [UInt8]) { self.text = text }

        /// The range of the next string, without its quotes. A string that does not end goes to the end of the text.
        mutating func next() -> Range<Int>? {
            let before = position
            guard let quote = text[position...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            isValueOfName = isName && text[before..<quote].allSatisfy { $0 == UInt8(ascii: ":") || $0 <= 0x20 }
            var end = quote + 1
            while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            end = min(end, text.count)
            position = min(end + 1, text.count)
            var next = position
            while next < text.count, text[next] <= 0x20 { next += 1 }
            isName = next < text.count && text[next] == UInt8(ascii: ":")
            return (quote + 1)..<end
        }
    }
}

extension FrameSecrets {
    /// A request's target with three dots for each value of its query whose name has one of the names, and for each
    /// token in its path.
    func removed(fromTarget target: String) -> String {
        let shown = removedParameters(of: target)
        return values.isEmpty ? shown : String(decoding: withoutValues(Array(shown.utf8)), as: UTF8.self)
    }

    private func removedParameters(of target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return removed(fromPath: target) }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.map { pair in
            let name = pair.prefix { $0 != "=" }
            return isSecret(Array(name.utf8)[...]) ? "\(name)=..." : String(pair)
        }
        return removed(fromPath: String(target[..<mark])) + "?" + kept.joined(separator: "&")
    }

    /// The text with three dots for each token that stands in it as it is.
    private func withoutValues(_ text: [UInt8]) -> [UInt8] {
        var kept = text
        for value in values where !value.isEmpty {
            var (rest, start) = ([UInt8](), kept.startIndex)
            while let found = kept[start...].firstRange(of: value) {
                rest += kept[start..<found.lowerBound]
                rest += "...".utf8
                start = found.upperBound
            }
            if start > 0 { kept = rest + kept[start...] }
        }
        return kept
    }

    package func removed(fromPath path: String) -> String {
        if segments.isEmpty { return path }
        var isBehind = false
        let shown = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            defer { isBehind = segments.contains { $0 == segment } }
            return isBehind && !segment.isEmpty ? "..." : String(segment)
        }
        return shown.joined(separator: "/")
    }
}
