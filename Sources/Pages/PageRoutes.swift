import Formats
import Gateway
import HTTPRouting
import MicroHTTP
import Synchronization

/// The pages of `web/`. Their queries are their own (`/?thread=`).
struct PageRoutes: RouteGroup {
    let documents: Documents
    /// What else the page's own address answers.
    var upgrade: @Sendable (HTTPRequest) async -> HTTPResponse? = { _ in nil }

    var routes: [Route] {
        let routes = [
            page("/", "getChatPage") { _ in "index.html" },
            page("/desk", "getDeskPage") { _ in "desk.html" },
            page("/inspect", "getInspectPage") { _ in "inspect.html" },
            page("/access", "getAccessPage") { _ in "access.html" },
            page("/reports", "getReportsPage") { _ in "reports.html" },
            page("/parley.js", "getClientLibrary") { _ in "parley.js" },
            page("/parley.d.ts", "getClientLibraryTypes") { _ in "parley.d.ts" },
            page("/widget.d.ts", "getWidgetTypes") { _ in "widget.d.ts" },
            page("/parley.py", "getPythonClient") { _ in "parley.py" },
            page("/parley_schemas.pyi", "getPythonClientTypes") { _ in "parley_schemas.pyi" },
            page("/parley/{path}", "getClientLibraryModule") { "parley/\($0.parameters["path"])" },
            // Here, not among the assets: a service worker's scope is its folder.
            page("/push-worker.js", "getPushWorker") { _ in "push-worker.js" },
            page("/assets/{path}", "getAsset") { "assets/\($0.parameters["path"])" },
            // The modules of `assets/` read the English texts from beside them.
            page("/texts/{path}", "getTexts") { "texts/\($0.parameters["path"])" },
            versioned,
        ]
        // The hundred files of a page would push out what one looks for.
        return routes.map { $0.traced(.none) }.map { $0.operationID == "getVersionedFile" ? $0.forCustomers() : $0 }
    }

    /// The same files under an address that names their content.
    private var versioned: Route {
        let files = documents.files
        return Route(
            .get, "/web/{version}/{path}", "getVersionedFile", access: .open, query: .any,
            handler: .now { call in
                let (name, version) = (call.parameters["path"], call.parameters["version"])
                guard let (file, validity) = files.file(name, version: version) else {
                    throw Problem(.notFound, "There is no such file.")
                }
                return file.response(to: call.request, validity)
            })
    }

    private func page(_ template: String, _ operationID: String, _ name: @escaping @Sendable (Call) -> String) -> Route
    {
        let (files, upgrade) = (documents.files, self.upgrade)
        let translated = TranslatedPages()
        let file = { @Sendable (call: Call) throws -> HTTPResponse in
            guard let file = files.file(name(call)) else { throw Problem(.notFound, "There is no such file.") }
            guard name(call).hasSuffix(".html") else { return file.response(to: call.request) }
            return translated.page(file, for: call).response(to: call.request)
        }
        let handler =
            template == "/"
            ? Route.Handler.task { call in
                call.request.headers["Upgrade"] == nil ? try file(call) : nil
            } run: { call in
                try await upgrade(call.request) ?? file(call)
            } : .now(file)
        return Route(.get, template, operationID, access: .open, query: .any, handler: handler)
    }
}

/// The pages of agents and operators in the languages that there are. A page contains the texts of its language, so its
/// scripts do not wait for another request. English texts are part of the scripts.
private final class TranslatedPages: Sendable {
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
