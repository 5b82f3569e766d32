/// A text as the search sees it: its words in their order, folded (``SearchFolding``).
///
/// A word is a run of letters and numbers with the marks on them.
struct SearchText {
    /// The words with a space between two: what the index has of the text.
    private(set) var folded: [UInt8] = []
    private(set) var words: [Word] = []

    struct Word {
        /// Where it is in ``SearchText/folded``.
        var folded: Range<Int>
        /// Where it is in the text.
        var place: Range<String.Index>
    }

    init(_ text: Substring) {
        let scalars = text.unicodeScalars
        folded.reserveCapacity(text.utf8.count)
        words.reserveCapacity(text.utf8.count / 5)
        SearchFolding.shared.withLock { folding in
            var index = scalars.startIndex
            while index < scalars.endIndex {
                guard SearchFolding.beginsWord(scalars[index]) else {
                    scalars.formIndex(after: &index)
                    continue
                }
                let start = index
                if !words.isEmpty { folded.append(UInt8(ascii: " ")) }
                let begun = folded.count
                while index < scalars.endIndex, SearchFolding.continuesWord(scalars[index]) {
                    let scalar = scalars[index]
                    if scalar.isASCII {
                        folded.append(("A"..."Z").contains(scalar) ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
                    } else {
                        folded += folding.fold(scalar)
                    }
                    scalars.formIndex(after: &index)
                }
                if folded.count > begun {
                    words.append(Word(folded: begun..<folded.count, place: start..<index))
                } else if !words.isEmpty {
                    folded.removeLast()
                }
            }
        }
    }

    /// What the index has of a text: its words, folded, with a space between two.
    ///
    /// Most texts have ASCII only. They need neither the places of their words nor Unicode's tables.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8(foldedASCII) ?? String(decoding: SearchText(text[...]).folded, as: UTF8.self)
    }

    /// Nil if there is another character.
    private static func foldedASCII(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if text.contains(where: { $0 >= 0x80 }) { return nil }
        return String(unsafeUninitializedCapacity: text.count) { folded in
            var (count, isBetween) = (0, false)
            for byte in text {
                let lower = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
                switch lower {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if isBetween, count > 0 {
                        folded[count] = UInt8(ascii: " ")
                        count += 1
                    }
                    folded[count] = lower
                    (count, isBetween) = (count + 1, false)
                default: isBetween = true
                }
            }
            return count
        }
    }

    /// The bytes of a word.
    func bytes(_ word: Int) -> ArraySlice<UInt8> { folded[words[word].folded] }
}
