import Bounds
import ChatModel
import Synchronization

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
