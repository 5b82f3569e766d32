import HTTPRouting

/// What a search of the reference finds. All words of the query must occur; case does not count.
struct ReferenceSearch {
    struct Entry: Sendable {
        let id: String
        /// Path, summary, operation's id, tag.
        let text: String
        /// Codes of problems, members of bodies, answers and events, parameters.
        let names: [String]

        init(_ operation: APIOperation, of document: APIDocument) {
            id = operation.id
            text =
                "\(operation.method.rawValue) \(operation.path) \(operation.summary) \(operation.id) \(operation.tag)"
                .lowercased()
            let members = SchemaTree(document).memberNames(OperationSection.schemas(operation))
            let codes = operation.answers.filter { !$0.isGood }.flatMap(\.codes)
            var all = members.union(codes).union(operation.parameters.map(\.name))
            all.formUnion(operation.events.map(\.name))
            names = all.sorted()
        }
    }

    /// In lower case.
    let words: [String]

    init(_ query: String) { words = query.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) }

    var isEmpty: Bool { words.isEmpty }

    /// Which of the entry's names the words occur in; empty where the text holds all words. Nil if a word occurs
    /// nowhere.
    func names(in entry: Entry) -> [String]? {
        var found: [String] = []
        for word in words where !entry.text.contains(word) {
            let names = entry.names.filter { $0.lowercased().contains(word) }
            if names.isEmpty { return nil }
            found += names.filter { !found.contains($0) }
        }
        return found
    }

    func finds(_ text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
