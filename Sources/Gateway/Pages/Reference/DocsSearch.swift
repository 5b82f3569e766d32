import HTTPRouting

/// The one search of `/docs`: it looks into articles, operations and problems. All words of a query must occur; case
/// does not count.
struct DocsSearch: Sendable {
    private let document: APIDocument
    private let articles: GuideSearch
    private let entries: [(id: String, entry: ReferenceSearch.Entry)]

    init(_ document: APIDocument, _ guide: Guide) {
        self.document = document
        articles = GuideSearch(guide)
        entries = document.operations.map { ($0.id, ReferenceSearch.Entry($0, of: document)) }
    }

    /// Nothing for a query without words.
    func found(_ query: String) -> DocsFindings {
        let search = ReferenceSearch(query)
        guard !search.isEmpty else { return DocsFindings() }
        let operations = entries.compactMap { id, entry in search.names(in: entry).map { (id, $0) } }
        return DocsFindings(
            articles: articles.hits(search.words),
            operations: Dictionary(operations, uniquingKeysWith: { first, _ in first }),
            problems: ProblemKind.all.values.filter { search.finds($0.code + " " + $0.title) }
                .sorted { $0.code < $1.code })
    }
}

/// What a search of `/docs` has found.
struct DocsFindings {
    var articles: [GuideSearch.Hit] = []
    /// By the operation's id: which of its names the words occur in.
    var operations: [String: [String]] = [:]
    var problems: [ProblemKind] = []

    /// In words.
    var count: String {
        func named(_ count: Int, _ one: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(one)s" }
        let parts = [(articles.count, "article"), (operations.count, "operation")].filter { $0.0 > 0 }
        return parts.isEmpty ? "Nothing found" : parts.map { named($0.0, $0.1) }.joined(separator: ", ")
    }
}
