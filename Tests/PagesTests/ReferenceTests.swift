import Formats
import Foundation
import HTTPRouting
import MicroHTTP
import Testing

@testable import Pages

/// The reference's parts, on documents made for the test and on that of this repository.
@Suite struct ReferenceTests {
    private static func document(_ paths: String, _ components: String = "") throws -> APIDocument {
        let yaml = """
            info: {title: T}
            security: [{token: []}]
            x-problem-codes: {unknownThing: 404, thingExists: 409, gone: 404}
            x-problem-scope: {unknownThing: ['{thing}'], thingExists: [make]}
            paths:
            \(paths)
            components:
              responses:
                NotFound: {description: 'No `unknownThing`, `gone`, or `noCode`.'}
                Conflict: {description: '`thingExists`'}
            \(components)
            """
        return APIDocument(try JSONParser.parse(OpenAPIDocument.json(yaml: Array(yaml.utf8))))
    }

    private static let things = """
          /things:
            get: {operationId: list, tags: [things], responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/List'}}}}, '404': {$ref: '#/components/responses/NotFound'}}}
            post: {operationId: make, tags: [things], security: [], responses: {'409': {$ref: '#/components/responses/Conflict'}}}
          /things/{thing}:
            put:
              operationId: change
              tags: [things]
              parameters: [{name: thing, in: path, required: true, example: a b, schema: {type: string}}]
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}, examples: {one: {value: {it: "it's \\"x\\" $(date)", no: null, yes: true, list: [1]}}}}}}
              responses: {'204': {description: Done}, '404': {$ref: '#/components/responses/NotFound'}, '409': {$ref: '#/components/responses/Conflict'}}
        """
    private static let schemas = """
          schemas:
            List: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}
            Thing:
              type: object
              required: [it]
              properties: {it: {type: string, minLength: 1, maxLength: 9, enum: [a, b]}, parent: {$ref: '#/components/schemas/Thing'}}
        """

    @Test func codesComeWhereTheyCan() throws {
        let operations = try Self.document(Self.things, Self.schemas).operations
        func codes(_ id: String) -> [String] {
            operations.first { $0.id == id }?.answers.filter { !$0.isGood }.flatMap(\.codes) ?? []
        }
        #expect(codes("list") == ["gone"])
        #expect(codes("make") == ["thingExists"])
        #expect(codes("change") == ["unknownThing", "gone"])
    }

    @Test func aSchemaThatNamesItselfEnds() throws {
        let document = try Self.document(Self.things, Self.schemas)
        let tree = SchemaTree(document)
        let list = try #require(document.operations[0].answers[0].media.first?.schema)
        #expect(tree.memberNames([list]) == ["items", "it", "parent"])
        let sections = tree.sections([list])
        #expect(sections.components(separatedBy: "<section").count == 3)
        #expect(sections.contains("string, 1 to 9 characters, one of <code>a</code> <code>b</code>"))
        #expect(sections.contains("array of <a class=\"schema\" href=\"#schema-Thing\">Thing</a>"))
        #expect(document.list(of: "thing", in: "/things/{thing}") == "/things")
        #expect(document.list(of: "other", in: "/things/{thing}/{other}") == nil)
    }

    /// What a shell and the languages would take for their own stays text.
    @Test func samplesQuoteWhatTheyCarry() throws {
        let operation = try #require(try Self.document(Self.things, Self.schemas).operations.last)
        let media = operation.body[0]
        let request = SampleRequest(operation, example: (media, media.examples[0].value))
        func sample(_ language: SampleLanguage) -> String { language.sample(request) }
        #expect(
            sample(.curl) == """
                curl -s -X PUT http://127.0.0.1:8787/things/a%20b \\
                  -H "Authorization: Bearer $(parley token)" \\
                  -H 'Content-Type: application/json' \\
                  -d '{"it":"it'\\''s \\"x\\" $(date)","no":null,"yes":true,"list":[1]}'
                """)
        #expect(
            sample(.parley)
                == "parley api PUT /things/a%20b -f 'it=it'\\''s \"x\" $(date)' -f no:=null -f yes:=true -f 'list:=[1]'"
        )
        #expect(sample(.python).contains("\"it\": \"it's \\\"x\\\" $(date)\",\n    \"no\": None,\n    \"yes\": True,"))
        #expect(sample(.javascript).hasSuffix("\n});") && !sample(.javascript).contains("console.log"))
    }

    @Test(arguments: [
        ("", ["list", "make", "change"]), ("THINGS post", ["make"]), ("gone", ["list", "change"]),
        ("change parent", ["change"]), ("parent nowhere", []),
    ])
    func searchWantsAllWords(query: String, found: [String]) throws {
        let document = try Self.document(Self.things, Self.schemas)
        let search = ReferenceSearch(query)
        let ids = document.operations.filter { search.names(in: .init($0, of: document)) != nil }.map(\.id)
        #expect(ids == found)
    }

    /// The one search finds articles by their texts, with the sections that have all words, and operations.
    @Test func searchLooksIntoArticlesAndOperations() throws {
        let guide = try Guide(folder: GuideTests.folder)
        let search = DocsSearch(try Self.document(Self.things, Self.schemas), guide)
        let backup = search.found("BACKUP")
        #expect(backup.articles.contains { $0.article.name == "Operations" && !$0.sections.isEmpty })
        #expect(
            backup.operations.isEmpty && backup.count.hasSuffix(backup.articles.count == 1 ? "article" : "articles"))
        // What is in the title comes first.
        #expect(search.found("webhooks").articles.first?.article.name == "Webhooks")
        #expect(search.found("things").operations.keys.sorted() == ["change", "list", "make"])
        #expect(search.found("nowhere-at-all").count == "Nothing found")
        #expect(search.found("").articles.isEmpty)
    }

    @Test func everyPageHasTheSameColumn() throws {
        let guide = try Guide(folder: GuideTests.folder)
        let pages = ReferencePages(try Self.document(Self.things, Self.schemas), guide: guide)
        for place in [DocsPlace.start, .tag("things"), .article("Webhooks"), .problem("notFound")] {
            let page = String(decoding: pages.page(place, query: "", main: pages.main(of: place)), as: UTF8.self)
            #expect(page.contains("id=\"search\"") && page.contains("href=\"/docs/GettingStarted\""), "\(place)")
            #expect(page.contains("href=\"/docs/api/things#make\""), "\(place)")
            #expect(
                page.components(separatedBy: "aria-current=\"page\"").count == (place == .problem("notFound") ? 1 : 2))
        }
        #expect(pages.title(of: .article("Nothing")) == nil && pages.title(of: .problem("nothing")) == nil)
    }

    /// Strangers may ask for it as often as they like: what was made once is answered at once, and kept within bounds.
    @Test func foundPagesAreKept() async throws {
        let description = try APIDescription(path: nil, guide: Guide())
        #expect(description.keptPage(.start, query: "x", origin: "http://a") == nil)
        let page = try await description.page(.start, query: "x", origin: "http://a")
        #expect(description.keptPage(.start, query: "x", origin: "http://a")?.bytes == page?.bytes)
        #expect(description.keptPage(.start, query: "y", origin: "http://a") == nil)
        for number in 0..<200 { _ = try await description.page(.start, query: "q\(number)", origin: "http://a") }
        let kept = (0..<200).count { description.keptPage(.start, query: "q\($0)", origin: "http://a") != nil }
        #expect((1...64).contains(kept))
    }

    @Test(arguments: ["localhost:80", "LoCaLhOsT:80", "LOCALHOST:80"])
    func hostsThatDifferInCaseAreOneOrigin(host: String) {
        let request = HTTPRequest(method: "GET", target: "/openapi.json", headers: [("Host", host)])
        #expect(request.origin == "http://localhost:80")
    }
}
