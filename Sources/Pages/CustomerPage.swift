import Bounds
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

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

/// The pages of the chat in its frame, made and compressed once for what stands in them: a channel's settings, and whether
/// it is open. Any thread may use it.
final class WidgetPages: Sendable {
    private struct Key: Hashable {
        let channel: String
        let language: PageLanguage
    }

    private struct Entry {
        let settings: [UInt8]
        /// Of the file that the page was made of.
        let tag: String
        let page: CustomerPage
    }

    /// Bytes of pages, without their compressed copies.
    private static let limit = 8 << 20

    private let kept = Mutex(RecentlyUsed<Key, Entry>(limit: limit))

    /// The page of a channel as it is now.
    ///
    /// - Parameters:
    ///   - channel: nil for one that is not public, or not there: strangers choose its name, so nothing is kept of it.
    ///   - settings: what stands in the page.
    func page(
        _ file: StaticFile, of channel: Channel?, in language: PageLanguage, _ settings: () -> [UInt8]
    ) -> CustomerPage {
        guard let channel else { return CustomerPage(file, settings(), in: language) }
        let (key, settings) = (Key(channel: channel.id, language: language), settings())
        let known = kept.withLock { $0[key] }
        if let known, known.tag == file.tag, known.settings == settings { return known.page }
        let page = CustomerPage(file, settings, in: language)
        kept.withLock {
            _ = $0.set(Entry(settings: settings, tag: file.tag, page: page), for: key, weight: page.byteCount)
        }
        return page
    }
}
