import Formats
import HTTPRouting
import MicroHTTP

/// A page for customers: a file of `web/` with settings and a language in it.
struct CustomerPage {
    /// The Content-Security-Policy without the pages that may frame it.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; \
        connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
        require-trusted-types-for 'script'; trusted-types parley
        """
    private let file: StaticFile

    init(_ page: StaticFile, _ settings: [UInt8], in language: PageLanguage) {
        let script = "<script type=\"application/json\" id=\"settings\">\(settings.inScript)</script>"
        let html = String(decoding: page.bytes, as: UTF8.self)
            .replacing(PageBundles.settings, with: script, maxReplacements: 1)
            .replacing("<html lang=\"en\"", with: "<html \(language.attributes)", maxReplacements: 1)
        file = StaticFile(bytes: Array(html.utf8), name: "page.html")
    }

    var byteCount: Int { file.bytes.count }

    func response(to request: HTTPRequest) -> HTTPResponse {
        var answer = file.response(to: request)
        answer.headers = answer.headers.map { $0.0 == "Vary" ? ($0.0, "\($0.1), Accept-Language") : $0 }
        return answer
    }
}

extension [UInt8] {
    /// JSON as it can stand in an element `script`. A `<` would end the element; in JSON it stands in strings only. By bytes: a
    /// mark beside it makes another `Character` of it, which would not be found.
    var inScript: String {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        for byte in self {
            if byte == UInt8(ascii: "<") { text += "\\u003c".utf8 } else { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The language of one answer.
struct PageLanguage: Hashable {
    let tag: String
    let direction: String

    /// Of the element `html`.
    var attributes: String { "lang=\"\(tag)\" dir=\"\(direction)\"" }
}
