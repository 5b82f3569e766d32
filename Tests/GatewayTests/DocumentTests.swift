import ChatModel
import Formats
import Foundation
import HTTPRouting
import Testing

@testable import Gateway

/// The pages and the document, from a folder made for the test.
@Suite struct DocumentTests {
    private final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "parley-gateway-\(ProcessInfo.processInfo.globallyUniqueString)"
            try FileManager.default.createDirectory(
                atPath: path + "/web/assets/deep", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: path + "/web/parley", withIntermediateDirectories: true)
            try write("web/index.html", "<p>chat</p>")
            try write("web/desk.html", "<p>desk</p>")
            try write("web/parley.js", "export {}")
            try write("web/push-worker.js", "")
            try write("web/parley/errors.js", "export {}")
            try write("web/assets/a.css", "a{}")
            try write("web/assets/deep/b.svg", "<svg/>")
            try write("web/assets/.hidden", "x")
            try write("secret", "secret")
            try FileManager.default.createSymbolicLink(
                atPath: path + "/web/assets/link", withDestinationPath: path + "/secret")
            try write(
                "openapi.yaml",
                """
                openapi: 3.1.0
                info: {title: Parley, version: '1.0', description: "A <b>gateway</b>"}
                paths:
                  /v1/info:
                    get:
                      operationId: getInfo
                      summary: What runs here
                      parameters: [{$ref: '#/components/parameters/Limit'}]
                      responses:
                        '200': {content: {application/json: {example: {name: Parley, n: 1.5, ok: true, none: null, big: 12}}}}
                components:
                  parameters:
                    Limit: {name: limit, in: query, description: How many, schema: {type: integer}}
                """)
        }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test(arguments: Driver.allCases)
    func servesPages(driver: Driver) async throws {
        let folder = try Folder()
        try await TestGateway.run(pages: folder.path + "/web", document: folder.path + "/openapi.yaml") { gateway in
            let paths: [(String, Int, String)] = [
                ("/", 200, "text/html; charset=utf-8"), ("/?thread=t1&x=2", 200, "text/html; charset=utf-8"),
                ("/desk", 200, "text/html; charset=utf-8"),
                ("/parley.js", 200, "text/javascript; charset=utf-8"),
                ("/push-worker.js", 200, "text/javascript; charset=utf-8"),
                ("/assets/a.css", 200, "text/css; charset=utf-8"),
                ("/parley/errors.js", 200, "text/javascript; charset=utf-8"),
                ("/parley/none.js", 404, "application/problem+json"),
                ("/parley/../index.html", 404, "application/problem+json"),
                ("/assets/deep/b.svg", 200, "image/svg+xml"), ("/assets/", 404, "application/problem+json"),
                ("/assets/none", 404, "application/problem+json"),
                ("/assets/../index.html", 404, "application/problem+json"),
                ("/assets/%2e%2e%2findex.html", 404, "application/problem+json"),
                ("/assets/%2e%2e/%2e%2e/secret", 404, "application/problem+json"),
                ("/assets/link", 404, "application/problem+json"),
                ("/assets/.hidden", 404, "application/problem+json"), ("/secret", 404, "application/problem+json"),
                ("/openapi.json", 200, "application/json"), ("/docs", 200, "text/html; charset=utf-8"),
            ]
            let answers = try await driver.answers(
                to: paths.map { Request(method: "GET", path: $0.0, headers: []) }, at: gateway)
            for (path, answer) in zip(paths, answers) {
                #expect(answer.status == path.1, "\(path.0)")
                #expect(answer["Content-Type"] == path.2, "\(path.0)")
            }
            #expect(
                answers[0]["Content-Security-Policy"]
                    == "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
            let tag = try #require(answers[0]["ETag"])
            let again = try await driver.answers(
                to: [Request(method: "GET", path: "/", headers: [("If-None-Match", tag)])], at: gateway)
            #expect(again[0].status == 304)
        }
    }

    @Test func convertsTheDocumentInOrder() async throws {
        let folder = try Folder()
        try await TestGateway.run(document: folder.path + "/openapi.yaml") { gateway in
            let answers = try await Driver.process.answers(
                to: ["/openapi.json", "/docs"].map { Request(method: "GET", path: $0, headers: []) }, at: gateway)
            #expect(
                answers[0].body.hasPrefix(
                    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Parley\",\"version\":\"1.0\",\"description\":"))
            #expect(
                answers[0].body.contains(
                    "\"example\":{\"name\":\"Parley\",\"n\":1.5,\"ok\":true,\"none\":null,\"big\":12}"))
            let docs = answers[1].body
            for part in [
                "A &lt;b&gt;gateway&lt;/b&gt;", "id=\"getInfo\"", "What runs here", "<code>limit</code> (query)",
                "&quot;name&quot;: &quot;Parley&quot;",
            ] {
                #expect(docs.contains(part), "\(part)")
            }
            #expect(!docs.contains("<script") && !docs.contains("style="))
            let info = Request(
                method: "GET", path: "/v1/info", headers: [("Authorization", "Bearer \(TestGateway.token)")])
            #expect(
                try await Driver.process.answers(to: [info], at: gateway)[0]["Link"]
                    == "</openapi.json>; rel=\"service-desc\"")
        }
    }

    /// The document that is served, and the table that the answers are made from, name the same codes with the same
    /// statuses.
    @Test func theDocumentKnowsEveryCode() throws {
        let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../openapi/openapi.yaml")
        let document = try JSONParser.parse(OpenAPIDocument.json(yaml: Array(Data(contentsOf: place))))
        let listed = Dictionary(
            uniqueKeysWithValues: document["x-problem-codes"]?.members?.map { ($0.name, $0.value.integer) } ?? [])
        #expect(listed == ProblemKind.all.mapValues { Int64($0.status) })
    }

    @Test func aMissingFolderIsAnErrorAtTheStart() async throws {
        await #expect(throws: (any Error).self) { try await TestGateway.run(pages: "/nowhere/web") { _ in } }
    }

    @Test func aMissingDocumentIsAnErrorAtTheStart() async throws {
        await #expect(throws: (any Error).self) { try await TestGateway.run(document: "/nowhere/api.yaml") { _ in } }
    }

    /// The start does not wait for what no request has asked for.
    @Test func theDocumentIsReadWhenItIsFirstAskedFor() async throws {
        let folder = try Folder()
        let request = Request(method: "GET", path: "/openapi.json", headers: [])
        func served(_ gateway: TestGateway) async throws -> String {
            try await Driver.process.answers(to: [request], at: gateway)[0].body
        }
        try await TestGateway.run(document: folder.path + "/openapi.yaml") { gateway in
            try folder.write("openapi.yaml", "openapi: 3.1.0")
            #expect(try await served(gateway) == "{\"openapi\":\"3.1.0\"}")
            try folder.write("openapi.yaml", "openapi: 3.2.0")
            #expect(try await served(gateway) == "{\"openapi\":\"3.1.0\"}")
        }
    }

    @Test func aMalformedDocumentFailsItsOwnRequestsAlone() async throws {
        let folder = try Folder()
        try folder.write("openapi.yaml", "a: [1")
        try await TestGateway.run(document: folder.path + "/openapi.yaml") { gateway in
            let paths = ["/openapi.json", "/docs", "/livez"]
            let answers = try await Driver.process.answers(
                to: paths.map { Request(method: "GET", path: $0, headers: []) }, at: gateway)
            #expect(answers.map(\.status) == [500, 500, 200])
        }
    }

    @Test(arguments: [
        ("3.1.0", "\"3.1.0\""), ("12", "12"), ("-7", "-7"), ("'12'", "\"12\""), ("\"true\"", "\"true\""),
        ("1.5", "1.5"), ("1e3", "1000.0"), (".", "\".\""), ("+1 555", "\"+1 555\""),
        ("true", "true"), ("False", "false"), ("yes", "\"yes\""), ("null", "null"), ("~", "null"), ("", "null"),
        ("''", "\"\""), ("2026-03-02", "\"2026-03-02\""), ("nan", "\"nan\""), ("0x10", "\"0x10\""),
    ])
    func readsScalarsByTheCoreSchema(yaml: String, json: String) throws {
        let bytes = try OpenAPIDocument.json(yaml: Array("a: \(yaml)\n".utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"a\":\(json)}")
    }
}
