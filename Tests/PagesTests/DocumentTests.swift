import ChatModel
import Formats
import Foundation
import GatewaySupport
import HTTPRouting
import Testing

@testable import Pages

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
            try write("web/parley.py", "pass")
            try write("web/parley_schemas.pyi", "")
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
                tags: [{name: operation, description: Looking after it}]
                paths:
                  /v1/info:
                    get:
                      operationId: getInfo
                      tags: [operation]
                      summary: What runs here
                      parameters: [{$ref: '#/components/parameters/Limit'}]
                      responses:
                        '200': {content: {application/json: {example: {name: Parley, n: 1.5, ok: true, none: null, big: 12}}}}
                components:
                  parameters:
                    Limit: {name: limit, in: query, description: How many, schema: {type: integer, minimum: 1, default: 5}}
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
                ("/parley.py", 200, "text/x-python; charset=utf-8"),
                ("/parley_schemas.pyi", 200, "text/x-python; charset=utf-8"),
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
                    == "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
                    + "require-trusted-types-for 'script'; trusted-types parley")
            let tag = try #require(answers[0]["ETag"])
            let again = try await driver.answers(
                to: [Request(method: "GET", path: "/", headers: [("If-None-Match", tag)])], at: gateway)
            #expect(again[0].status == 304)
        }
    }

    private func get(
        _ gateway: TestGateway, _ path: String, _ headers: [(String, String)] = []
    ) async throws -> Answer {
        try await Driver.process.answers(to: [Request(method: "GET", path: path, headers: headers)], at: gateway)[0]
    }

    /// A page names its files with their version: those are kept for good, and an edited file has another address.
    @Test func filesUnderAVersionAreKept() async throws {
        let folder = try Folder()
        try folder.write("web/index.html", "<link href=\"/web/-/assets/a.css\"><link href=\"/assets/a.css\">")
        try await TestGateway.run(pages: folder.path + "/web") { gateway in
            let page = try await get(gateway, "/")
            #expect(page["Cache-Control"] == "no-cache")
            let version = try #require(try /\/web\/([0-9a-f]{16})\/assets\/a.css/.firstMatch(in: page.body)?.1)
            #expect(page.body.contains("href=\"/assets/a.css\""))
            let path = "/web/\(version)/assets/a.css"
            let kept = try await get(gateway, path)
            #expect(kept.status == 200 && kept.body == "a{}")
            #expect(kept["Cache-Control"] == "public, max-age=31536000, immutable")
            let deep = try await get(gateway, "/web/\(version)/parley.js")
            #expect(deep.status == 200 && deep["Content-Type"] == "text/javascript; charset=utf-8")
            for missing in ["/web/\(version)/assets/none", "/web/\(version)/..%2fsecret", "/web/\(version)/"] {
                #expect(try await get(gateway, missing).status == 404, "\(missing)")
            }

            try folder.write("web/assets/a.css", "a{color:red}")
            try folder.write("web/assets/new.css", "b{}")
            let edited = try await get(gateway, "/")
            let next = try #require(try /\/web\/([0-9a-f]{16})\//.firstMatch(in: edited.body)?.1)
            #expect(next != version && edited["ETag"] != page["ETag"])
            #expect(try await get(gateway, "/web/\(next)/assets/a.css").body == "a{color:red}")
            #expect(try await get(gateway, "/web/\(next)/assets/new.css").body == "b{}")
            // A page from before gets what there is, and must not keep it under the old address.
            let old = try await get(gateway, path)
            #expect(old.body == "a{color:red}" && old["Cache-Control"] == "no-cache")
            #expect(try await get(gateway, "/web/-/assets/a.css")["Cache-Control"] == "no-cache")

            try folder.write("web/assets/a.css", "a{color:blue}")
            #expect(try await get(gateway, "/assets/a.css").body == "a{color:blue}")
            // While the files are replaced, the page stays.
            try FileManager.default.removeItem(atPath: folder.path + "/web")
            #expect(try await get(gateway, "/").status == 200)
        }
    }

    @Test func textsAreCompressedForThoseWhoTakeIt() async throws {
        let folder = try Folder()
        let text = String(repeating: "a { color: red } ", count: 100)
        try folder.write("web/assets/a.css", text)
        try folder.write("web/assets/p.png", text)
        try await TestGateway.run(pages: folder.path + "/web", document: folder.path + "/openapi.yaml") { gateway in
            let gzip = ("Accept-Encoding", "gzip")
            let (plain, coded) = (
                try await get(gateway, "/assets/a.css"), try await get(gateway, "/assets/a.css", [gzip])
            )
            #expect(plain["Content-Encoding"] == nil && plain.body == text)
            #expect(coded["Content-Encoding"] == "gzip" && coded.body.utf8.count < text.utf8.count / 4)
            #expect(plain["Vary"] == "Accept-Encoding" && coded["Vary"] == "Accept-Encoding")
            // Each form has a tag of its own, and only its own is fresh.
            let (one, other) = (try #require(plain["ETag"]), try #require(coded["ETag"]))
            #expect(one != other && !one.hasPrefix("W/") && !other.hasPrefix("W/"))
            for (tag, headers, status) in [
                (one, [], 304), (other, [gzip], 304), (one, [gzip], 200), (other, [], 200),
            ] {
                let again = try await get(gateway, "/assets/a.css", headers + [("If-None-Match", tag)])
                #expect(again.status == status && again["Vary"] == "Accept-Encoding")
            }
            // No part of a file is offered, so a range is passed over: never one form's bytes as the other's.
            let part = try await get(gateway, "/assets/a.css", [gzip, ("Range", "bytes=0-3"), ("If-Range", one)])
            #expect(part.status == 200 && part["Content-Encoding"] == "gzip" && part["Accept-Ranges"] == nil)
            let picture = try await get(gateway, "/assets/p.png", [gzip])
            #expect(picture["Content-Encoding"] == nil && picture["Vary"] == nil)
            for path in ["/openapi.json", "/docs"] {
                #expect(try await get(gateway, path, [gzip])["Content-Encoding"] == "gzip", "\(path)")
            }
        }
    }

    @Test func convertsTheDocumentInOrder() async throws {
        let folder = try Folder()
        try await TestGateway.run(document: folder.path + "/openapi.yaml") { gateway in
            let answers = try await Driver.process.answers(
                to: ["/openapi.json", "/docs", "/docs/api/operation"].map {
                    Request(method: "GET", path: $0, headers: [])
                }, at: gateway)
            #expect(
                answers[0].body.hasPrefix(
                    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Parley\",\"version\":\"1.0\",\"description\":"))
            #expect(
                answers[0].body.contains(
                    "\"example\":{\"name\":\"Parley\",\"n\":1.5,\"ok\":true,\"none\":null,\"big\":12}"))
            #expect(answers[1].body.contains("A &lt;b&gt;gateway&lt;/b&gt;"))
            #expect(answers[1].body.contains("<a href=\"/docs/api/operation#getInfo\">"))
            for part in [
                "id=\"getInfo\"", "What runs here", "query, integer, at least 1, default <code>5</code>",
                "&quot;name&quot;: &quot;Parley&quot;",
            ] {
                #expect(answers[2].body.contains(part), "\(part)")
            }
            for page in answers[1...].map(\.body) {
                let scripts = page.split(separator: "<script").dropFirst()
                #expect(scripts.map { String($0.prefix(36)) } == [" type=\"module\" src=\"/assets/docs.js\""])
                #expect(!page.contains("style=") && !page.contains(" onclick="))
            }
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
