import Foundation
import GatewaySupport
import Testing

@testable import Pages

/// The guide of this repository, as it is served.
@Suite struct GuideTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized
    static let folder = repository.appendingPathComponent("Sources/parley/Parley.docc").path
    private let guide = Result { try Guide(folder: Self.folder) }

    @Test func listsEveryArticleOnce() throws {
        let names = try guide.get().chapters.flatMap(\.articles).map { $0.name + ".md" }
        let files = try FileReader.list(Self.folder).filter { $0.hasSuffix(".md") && $0 != "Parley.md" }
        #expect(names.sorted() == files.sorted())
    }

    @Test func everyArticleHasATitleAndASummary() throws {
        for article in try guide.get().chapters.flatMap(\.articles) {
            #expect(!article.title.isEmpty && !article.title.hasPrefix("#"), "\(article.name)")
            #expect((1...160).contains(article.summary.count) && !article.summary.hasPrefix("#"), "\(article.name)")
        }
    }

    /// Articles name each other and their headings; other links name files of this repository.
    @Test func everyLinkLeadsSomewhere() throws {
        let articles = try guide.get().chapters.flatMap(\.articles)
        let anchors = Dictionary(uniqueKeysWithValues: articles.map { ($0.name, Self.anchors(of: $0.body)) })
        for article in articles {
            for target in Self.links(of: String(article.body)) where !["http", "/"].contains(where: target.hasPrefix) {
                let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
                let known = try #require(anchors[parts[0].replacing("doc:", with: "")], "\(article.name): \(target)")
                if parts.count > 1 { #expect(known.contains(parts[1]), "\(article.name): \(target)") }
            }
        }
        for target in Self.links(of: try guide.get().introduction) {
            #expect(anchors[target.replacing("doc:", with: "")] != nil, "the introduction: \(target)")
        }
        let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
        for target in Self.links(of: readme) where !target.hasPrefix("http") {
            let path = Self.repository.appendingPathComponent(target).path
            #expect(FileManager.default.fileExists(atPath: path), "README: \(target)")
        }
    }

    @Test(arguments: Driver.allCases)
    func servesArticlesAsPagesAndAsMarkdown(driver: Driver) async throws {
        try await TestGateway.run(guide: Self.folder) { gateway in
            let paths = [
                "/docs/Webhooks", "/docs/Webhooks.md", "/docs/Nothing", "/docs/Parley.md", "/docs",
                "/docs/getting-started", "/docs/webhook.md?q=a%20b", "/docs/problems/notFound",
            ]
            let requests = paths.map { Request(method: "GET", path: $0, headers: []) }
            let answers = try await driver.answers(to: requests, at: gateway)
            #expect(answers.map(\.status) == [200, 200, 404, 404, 200, 308, 308, 200])
            #expect(answers[5]["Location"] == "/docs/GettingStarted")
            #expect(answers[6]["Location"] == "/docs/Webhooks.md?q=a%20b")
            for index in [0, 4, 7] { #expect(answers[index].body.contains("role=\"search\""), "\(paths[index])") }
            #expect(answers[0]["Content-Type"] == "text/html; charset=utf-8")
            #expect(answers[0]["Content-Security-Policy"]?.contains("default-src 'self'") == true)
            #expect(answers[1]["Content-Type"] == "text/markdown; charset=utf-8")
            #expect(answers[2].body.contains("\"code\":\"notFound\""))
            #expect(answers[4].body.contains("<a href=\"/docs/Webhooks\">Webhooks</a>"))
            let written = try String(contentsOfFile: Self.folder + "/Webhooks.md", encoding: .utf8)
            #expect(answers[1].body == written)
            let tag = try #require(answers[0]["ETag"])
            let again = Request(method: "GET", path: paths[0], headers: [("If-None-Match", tag)])
            #expect(try await driver.answers(to: [again], at: gateway)[0].status == 304)
        }
    }

    @Test(arguments: [
        ("getting-started", "GettingStarted"), ("WEBHOOKS", "Webhooks"), ("webhook", "Webhooks"), ("limits", "Limits"),
        ("A bot in ten lines", "Bots"), ("c", nil), ("", nil), ("-", nil), ("nothing", nil),
    ])
    func addressesAreForgiving(name: String, article: String?) throws {
        #expect(try guide.get().article(meaning: name)?.name == article)
    }

    /// What the renderer did not understand would still have its marks.
    @Test func everyArticleIsRenderedWhole() throws {
        let guide = try guide.get()
        for name in guide.chapters.flatMap(\.articles).map(\.name) {
            let page = guide.main(of: try #require(guide.article(name)))
                .replacing(/<(pre|code).*?>(.|\n)*?<\/(pre|code)>/, with: "")
            for mark in ["&lt;doc:", "](", "```", "**", "\n|"] { #expect(!page.contains(mark), "\(name): \(mark)") }
        }
    }

    /// The walk in the article for contributors: each `Type.function` is declared in a file about that type.
    @Test func theWalkNamesFunctionsThatThereAre() throws {
        let article = try #require(try guide.get().chapters.flatMap(\.articles).first { $0.name == "Contributing" })
        let steps = article.body.matches(of: /\n\| `([A-Za-z]+)\.([A-Za-z]+)`/)
            .map { (type: String($0.1), member: String($0.2)) }
        let sources = Self.repository.appendingPathComponent("Sources").path
        let files = try FileReader.list(sources).filter { $0.hasSuffix(".swift") }
            .map { String(decoding: try FileReader.read("\(sources)/\($0)"), as: UTF8.self) }
        #expect(steps.count > 20)
        for step in steps {
            let isThere = files.contains { file in
                ["class", "struct", "actor", "extension"].contains { file.contains("\($0) \(step.type)") }
                    && ["func", "var"].contains { file.contains("\($0) \(step.member)") }
            }
            #expect(isThere, "\(step.type).\(step.member)")
        }
    }

    private static func anchors(of body: String) -> Set<String> {
        let headings = body.split(separator: "\n").filter { $0.hasPrefix("##") }
        return Set(headings.map { Markdown.anchor($0.drop { "# ".contains($0) }) })
    }

    /// The targets of links, without those in code.
    private static func links(of text: String) -> [String] {
        let prose = text.replacing(/```(.|\n)*?\n```/, with: "").replacing(/`[^`]*`/, with: "")
        return prose.matches(of: /\]\(([^)]+)\)|<(doc:[^>]+)>/).map { String($0.1 ?? $0.2 ?? "") }
    }
}
