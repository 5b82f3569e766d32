import Formats
import Gateway
import Synchronization

/// The pages of agents and operators in the languages that there are. A page contains the texts of its language, so its
/// scripts do not wait for another request. English texts are part of the scripts.
final class TranslatedPages: Sendable {
    private struct Key: Hashable {
        let page: String
        let language: String
    }

    /// One for each language, of the page as it is now.
    private let made = Mutex<[Key: StaticFile]>([:])
    private static let capacity = 64

    /// The page in the language of whoever asks: by the address, the person's setting, or the browser.
    func page(_ page: StaticFile, for call: Call) -> StaticFile {
        guard let texts = call.core.configuration.customerTexts else { return page }
        let language = texts.language(for: call.ownLanguages + call.wantedLanguages + [CustomerTexts.usual], among: [])
        guard language != CustomerTexts.usual, let table = texts.table(language) else { return page }
        return made.withLock { made in
            let key = Key(page: page.tag, language: language)
            if let known = made[key] { return known }
            // Pages of earlier versions, while somebody edits them.
            if made.count >= Self.capacity { made.removeAll() }
            let file = Self.make(page, language, table)
            made[key] = file
            return file
        }
    }

    private static func make(_ page: StaticFile, _ language: String, _ table: CustomerTexts.Table) -> StaticFile {
        var json = JSONWriter(reservingCapacity: 32 << 10)
        json.beginObject()
        for member in table.json.members ?? [] where member.name != "widget" {
            json.name(member.name)
            json.value(member.value)
        }
        json.endObject()
        let texts = json.bytes.inScript
        let attributes = PageLanguage(tag: language, direction: table.direction).attributes
        let html = String(decoding: page.bytes, as: UTF8.self)
            .replacing("<html lang=\"en\"", with: "<html \(attributes)", maxReplacements: 1)
            .replacing(
                "</head>", with: "<script type=\"application/json\" id=\"texts\">\(texts)</script>\n</head>",
                maxReplacements: 1)
        return StaticFile(bytes: Array(html.utf8), name: "page.html")
    }
}

extension Call {
    /// The language that the person has chosen who is signed in.
    fileprivate var ownLanguages: [String] {
        guard query["lang"] == nil, let language = settingOfPerson("language") else { return [] }
        return [language]
    }
}
