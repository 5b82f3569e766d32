/// One kind of problem: what its code means, everywhere and always the same.
///
/// What HTTP itself needs is in ``HTTPProblem``. An application adds kinds of its own.
package struct ProblemKind: Sendable, Equatable {
    /// The member `code` of the problem, and the last segment of its `type`.
    package let code: String
    /// The HTTP status that it is usually answered with.
    package let status: Int
    /// The member `title`: the same for every occurrence.
    package let title: String
    /// What it means, for people.
    package let meaning: String
    /// What to do about it.
    package let remedy: String

    package init(_ code: String, _ status: Int, _ title: String, _ meaning: String, _ remedy: String) {
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
    }
}
