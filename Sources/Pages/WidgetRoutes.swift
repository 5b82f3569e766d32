import Chat
import ChatModel
import ChatStore
import Formats
import Foundation
import Gateway
import HTTPRouting
import MicroHTTP

/// The pages of customers: the widget for the pages of shops, the chat in its frame, and the page behind a customer's link.
///
/// They hold nothing of anybody: what a customer may see comes later, by the API and with the token of a session.
struct WidgetRoutes: RouteGroup {
    let documents: Documents
    private let pages = WidgetPages()
    /// The service that has public channels.
    private static let service = "local"

    var routes: [Route] {
        let (files, pages) = (documents.files, pages)
        return [
            Route(
                .get, "/widget.js", "getWidgetLoader", access: .open, query: .any,
                handler: .now { call in
                    guard let file = files.bundledFile("widget.js") else {
                        throw Problem(.notFound, "There is no such file.")
                    }
                    return Self.shared(file.response(to: call.request), seconds: 300)
                }),
            Route(
                .get, "/widget/{channel}/config.js", "getWidgetConfig", access: .open, query: .any,
                handler: .aside { call in
                    guard let channel = try await call.publicChannel else {
                        throw Problem(.channelNotPublic, "Nobody begins on this channel by themselves.")
                    }
                    let text = "export default \(String(decoding: call.configuration(of: channel), as: UTF8.self));\n"
                    let file = StaticFile(bytes: Array(text.utf8), name: "config.js")
                    return Self.shared(file.response(to: call.request), seconds: 60)
                }),
            Route(
                .get, "/widget/{channel}", "getWidgetPage", access: .open, query: .any,
                handler: .aside { call in
                    guard let page = files.page("widget.html"), call.hasPlainName("channel", within: 128) else {
                        throw Problem(.notFound, "There is no such page.")
                    }
                    let channel = try await call.publicChannel
                    let language = call.language(of: channel)
                    var answer = pages.page(page, of: channel, in: language) {
                        call.settings(of: channel, in: language)
                    }.response(to: call.request)
                    let allowed = call.core.rules.allowedOrigins.sorted()
                    let ancestors = channel.map { channel in
                        (["'self'"] + (channel.visitors?.origins ?? []) + allowed).joined(separator: " ")
                    }
                    answer.headers = Self.framed(answer.headers, by: ancestors ?? "'none'")
                    return answer
                }),
            Route(
                .get, "/c/{code}", "showLink", access: .open, query: .any,
                handler: .aside { call in try await call.linkPage(files) }
            ),
        ].map { route in
            let route = route.traced(.none)
            return route.operationID == "showLink" ? route.forCustomers() : route.forEveryPage()
        }
    }

    /// The answer as pages of every origin may load it.
    private static func shared(_ answer: HTTPResponse, seconds: Int) -> HTTPResponse {
        var answer = answer
        answer.headers = answer.headers.map { $0.0 == "Cache-Control" ? ($0.0, "public, max-age=\(seconds)") : $0 }
        answer.headers.append(("Access-Control-Allow-Origin", "*"))
        return answer
    }

    /// The headers of a page that pages of these origins may frame. `require-corp` lets it stand in host pages that ask the
    /// same of all they show.
    private static func framed(_ headers: [(String, String)], by ancestors: String) -> [(String, String)] {
        headers.map { header in
            guard header.0 == "Content-Security-Policy" else { return header }
            return (header.0, "\(CustomerPage.policy); frame-ancestors \(ancestors)")
        } + [
            ("Cross-Origin-Embedder-Policy", "require-corp"), ("Cross-Origin-Resource-Policy", "cross-origin"),
            ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()"),
        ]
    }
}

extension Call {
    private var texts: CustomerTexts { core.configuration.customerTexts ?? CustomerTexts(files: [:]) }

    /// Whether the path's parameter has only characters that names of channels and codes have.
    fileprivate func hasPlainName(_ parameter: String, within limit: Int) -> Bool {
        let name = parameters[parameter].utf8
        return (1...limit).contains(name.count)
            && name.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._~-".utf8.contains(byte)
                }
            }
    }

    /// The path's channel, if customers may begin on it by themselves.
    fileprivate var publicChannel: Channel? {
        get async throws {
            let id = parameters["channel"]
            let channel = try await core.store.read { try $0.channel(id, of: "local") }
            return channel?.visitors?.isPublic == true ? channel : nil
        }
    }

    /// The language that the address asks for, or the browser; among those of the channel.
    fileprivate func language(of channel: Channel?) -> PageLanguage {
        let tag = texts.language(for: wantedLanguages, among: channel?.languages ?? [])
        return PageLanguage(tag: tag, direction: texts.table(tag)?.direction ?? "ltr")
    }

    /// What the widget needs before it shows its button.
    fileprivate func configuration(of channel: Channel) -> [UInt8] {
        let tags = channel.languages.isEmpty ? texts.languages : channel.languages
        let opening = core.opening(of: channel)
        let hidesBubble = !opening.isOpen && channel.outside?.hidesBubble == true
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.member("channel", channel.id)
        json.member("name", channel.appearance?.name ?? channel.name)
        json.member("public", true)
        opening.write(to: &json)
        json.member("languages", texts: tags)
        json.name("appearance")
        (channel.appearance ?? Appearance()).write(to: &json, hidesBubble: hidesBubble)
        json.name("launcher")
        json.beginObject()
        for tag in tags {
            json.name(tag)
            json.beginObject()
            json.member("dir", texts.table(tag)?.direction ?? "ltr")
            for (key, text) in texts.texts(in: tag, changed: channel.texts[tag] ?? [:]).sorted(by: { $0.key < $1.key })
            where key.hasPrefix("launcher.") {
                json.name(String(key.dropFirst("launcher.".count)))
                json.value(text)
            }
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// What the page in the frame needs. Of a channel that is not public, or not there, it tells nothing: who has a session
    /// there reads the rest with its token.
    fileprivate func settings(of channel: Channel?, in language: PageLanguage) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 8192)
        json.beginObject()
        json.member("channel", channel?.id ?? parameters["channel"])
        json.member("public", channel != nil)
        if let channel, let visitors = channel.visitors {
            json.member("service", "local")
            json.member("name", channel.appearance?.name ?? channel.name)
            json.member("mode", channel.mode.rawValue)
            let opening = core.opening(of: channel)
            let takesChats = channel.isOnline && (opening.isOpen || channel.outside?.chats == .queue)
            json.member("isOnline", channel.mode != .liveChat || takesChats)
            opening.write(to: &json)
            if channel.outside?.asksEmail == true { json.member("askEmail", true) }
            json.member("origins", texts: visitors.origins + core.rules.allowedOrigins.sorted())
            json.name("appearance")
            (channel.appearance ?? Appearance()).write(to: &json)
            json.name("visitors")
            json.beginObject()
            json.member("identity", visitors.identity.rawValue)
            json.member("anonymous", visitors.anonymous.rawValue)
            json.member("proof", visitors.proof.rawValue)
            if let consent = visitors.consent { json.member("consent", consent) }
            json.member("selfErase", visitors.selfErase)
            json.endObject()
            if let survey = channel.preChatSurvey { json.member("preChatSurvey", survey) }
            json.member("fileRestrictions", channel.fileRestrictions)
            if !channel.menu.isEmpty { json.member("menu", channel.menu) }
            json.member("rating", channel.rating?.rawValue)
            if channel.reopenDays > 0 { json.member("reopenDays", channel.reopenDays) }
        }
        write(language, of: channel, without: ["linkPage"], to: &json)
        json.endObject()
        return json.bytes
    }

    /// Writes the page's language, the languages to choose from, and the texts in the page's language.
    ///
    /// - Parameter groups: which texts the page does not use.
    fileprivate func write(
        _ language: PageLanguage, of channel: Channel?, without groups: Set<Substring> = [], to json: inout JSONWriter
    ) {
        json.member("lang", language.tag)
        json.member("dir", language.direction)
        let tags = channel?.languages ?? []
        json.member("languages", texts: tags.isEmpty ? texts.languages : tags)
        json.name("texts")
        let entries = texts.texts(in: language.tag, changed: channel?.texts[language.tag] ?? [:])
        let all = Dictionary(grouping: entries) { $0.key.prefix { $0 != "." } }
        json.beginObject()
        for (name, texts) in all.sorted(by: { $0.key < $1.key }) where !groups.contains(name) {
            json.name(String(name))
            json.beginObject()
            // The button's other texts are for the page around. Of a channel that is not public the page knows no mode.
            let hasQueue = channel.map { $0.mode == .liveChat } ?? true
            let canErase = channel?.visitors?.selfErase ?? true
            for (key, text) in texts.sorted(by: { $0.key < $1.key })
            where (name != "launcher" || key == "launcher.label")
                && (name != "queue" || hasQueue || key == "queue.end")
                && (canErase || !key.hasPrefix("menu.erase"))
            {
                json.name(String(key.dropFirst(name.count + 1)))
                json.value(text)
            }
            json.endObject()
        }
        json.endObject()
    }

    /// The page of a customer's link. It uses nothing up: programs that look at messages open addresses, too.
    fileprivate func linkPage(_ files: PageFiles) async throws -> HTTPResponse {
        guard let page = files.page("customer-link.html"), hasPlainName("code", within: 128) else {
            throw Problem(.notFound, "There is no such page.")
        }
        let digest = SHA256.hash(Array(parameters["code"].utf8))
        let now = core.environment.now()
        let channel = try await core.store.read { transaction -> Channel? in
            guard let key = try? transaction.account(ofLink: digest, at: now) else { return nil }
            return try transaction.channel(key.channel, of: key.service)
                ?? Channel(id: key.channel, name: key.channel, mode: .singlethread, capabilities: [])
        }
        let language = language(of: channel)
        var json = JSONWriter()
        json.beginObject()
        json.member("isGood", channel != nil)
        json.member("name", channel.map { $0.appearance?.name ?? $0.name })
        json.name("appearance")
        (channel?.appearance ?? Appearance()).write(to: &json)
        write(language, of: channel, to: &json)
        json.endObject()
        var answer = CustomerPage(page, json.bytes, in: language).response(to: request)
        answer.headers = answer.headers.map { header in
            switch header.0 {
            case "Content-Security-Policy": (header.0, "\(CustomerPage.policy); frame-ancestors 'none'")
            case "Cache-Control": (header.0, "no-store")
            default: header
            }
        }
        return answer
    }
}

extension Appearance {
    /// The appearance with what it leaves out, and with the colour of text on its colour.
    fileprivate func write(to json: inout JSONWriter, hidesBubble: Bool = false) {
        let colour = colour ?? Self.usualColour
        json.beginObject()
        json.member("colour", colour)
        json.member("onColour", Self.textColour(on: colour))
        json.member("position", (position ?? .end).rawValue)
        json.member("greeting", greeting)
        json.member("logo", logo)
        json.member("showBubble", (showsBubble ?? true) && !hidesBubble)
        json.endObject()
    }

    /// White or black, whichever is easier to read on the colour: its contrast is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
    static func textColour(on colour: String) -> String {
        let bytes = Array(colour.utf8.dropFirst()).compactMap(Hexadecimal.value)
        let shares = stride(from: 0, to: bytes.count - 1, by: 2).map { index -> Double in
            let share = Double(bytes[index] << 4 | bytes[index + 1]) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        guard shares.count == 3 else { return "#ffffff" }
        // Both contrasts are the same at a luminance of 0.179.
        return 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2] > 0.179 ? "#000000" : "#ffffff"
    }
}

extension Opening {
    /// Writes the members `isOpen` and `nextOpening`.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("isOpen", isOpen)
        if let next { json.member("nextOpening", next) }
    }
}
