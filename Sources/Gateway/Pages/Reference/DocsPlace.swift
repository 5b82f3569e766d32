import Formats

/// A page below `/docs`. All have the same column beside them.
enum DocsPlace: Hashable, Sendable {
    /// `/docs`: what Parley is for, and what there is to read. With a query it shows what was found.
    case start
    /// The operations of a tag.
    case tag(String)
    /// An article, by its exact name.
    case article(String)
    /// A kind of problem, by its code.
    case problem(String)

    /// Where the page is.
    var path: String {
        switch self {
        case .start: "/docs"
        case .tag(let name): "/docs/api/\(name.percentEncoded)"
        case .article(let name): "/docs/\(name.percentEncoded)"
        case .problem(let code): "/docs/problems/\(code.percentEncoded)"
        }
    }
}
