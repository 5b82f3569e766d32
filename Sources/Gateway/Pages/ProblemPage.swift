import HTTPRouting

/// What the `type` of a problem leads to: what it means, and what to do.
enum ProblemPage {
    /// What the page has beside its title and the column.
    static func main(of kind: ProblemKind) -> String {
        var page = HTMLPage(title: kind.title)
        page.html += "<p>Code <code>\(HTMLPage.escape(kind.code))</code>, usually with status \(kind.status).</p>\n"
        page.html += "<h2>What it means</h2>\n"
        page.markdown(kind.meaning)
        page.html += "<h2>What to do</h2>\n"
        page.markdown(kind.remedy)
        return page.html
    }
}
