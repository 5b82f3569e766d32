import ChatStore
import HTTPRouting
import MicroHTTP

/// The answers to a request for a page that the store keeps: 200 and 304. They are kept with the page, and hold as long
/// as target and cursor stay the same.
final class PageAnswers: Sendable {
    private let target: [UInt8]
    private let offset: Int64
    private let tag: EntityTag
    private let tagText: String
    private let whole: PreparedResponse
    private let unchanged: PreparedResponse

    fileprivate init(_ page: PageBytes, to call: Call) {
        let target = call.request.target
        tag = EntityTag(version: page.version, target: target)
        tagText = tag.text
        self.target = Array(target.utf8)
        offset = page.offset
        let headers = call.headers(of: page, tag)
        whole = SecurityHeaders.prepared(
            headers: [("Content-Type", "application/json")] + headers, body: call.body(of: page))
        unchanged = SecurityHeaders.prepared(headers: headers, body: [])
    }

    fileprivate func isFor(_ page: PageBytes, _ request: HTTPRequest) -> Bool {
        offset == page.offset && request.hasTarget(target)
    }

    func answer(to call: Call) -> HTTPResponse {
        call.isFresh(tag, text: tagText)
            ? HTTPResponse(status: 304, body: .prepared(unchanged)) : HTTPResponse(status: 200, body: .prepared(whole))
    }
}

extension Call {
    /// The answers that are kept with the page; made anew if those are for another target or cursor. Nil for a page of
    /// another origin, whose answers have more headers.
    func pageAnswers(_ page: PageBytes, _ form: PageForm) -> PageAnswers? {
        if request.headers["Origin"] != nil { return nil }
        if let kept = form.value as? PageAnswers, kept.isFor(page, request) { return kept }
        let answers = PageAnswers(page, to: self)
        form.value = answers
        return answers
    }
}
