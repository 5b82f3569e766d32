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

    /// The bytes of a word.
    func bytes(_ word: Int) -> ArraySlice<UInt8> { folded[words[word].folded] }
}
