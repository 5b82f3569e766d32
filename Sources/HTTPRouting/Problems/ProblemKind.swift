/// One kind of problem: everything about a code that does not depend on the occurrence.
///
/// The kinds that HTTP needs are in ``HTTPProblem``; an application adds its own. A client decides by ``code`` alone;
/// the texts may change.
package struct ProblemKind: Sendable, Equatable {
    /// The member `code` of the answer, and the last segment of `type`. Part of the API: it never changes.
    package let code: String
    /// The HTTP status of the answer, unless the place that throws decides otherwise (see ``Problem/status``).
    package let status: Int
    /// The member `title`: the same for every occurrence.
    package let title: String
    /// What the problem means, in whole sentences for the documentation page. It is not in the answer.
    package let meaning: String
    /// What a caller can do about it; also for the documentation page only.
    package let remedy: String

    package init(_ code: String, _ status: Int, _ title: String, _ meaning: String, _ remedy: String) {
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
    }
}
