import ChatModel
import Formats
import HTTPRouting
import Testing

@testable import Gateway

@Suite struct ObjectReaderTests {
    private func problems<T: RequestBody>(_ json: String, as type: T.Type) throws -> [String] {
        do {
            let _: T = try ObjectReader.read(JSONParser.parse(Array(json.utf8)))
            return []
        } catch let problem as Problem {
            return problem.items.map { "\($0.pointer) \($0.kind.code)" }
        }
    }

    @Test(
        arguments: [
            ("{\"channel\":\"a\"}", []),
            ("{\"channel\":\"a\",\"service\":\"local\",\"customer\":{},\"connect\":false}", []),
            ("{}", ["/channel missingMember"]),
            ("{\"channel\":null}", ["/channel invalidValue"]),
            ("{\"channel\":\"\"}", ["/channel invalidValue"]),
            ("{\"channel\":\"a\",\"customer\":null}", ["/customer invalidValue"]),
            ("{\"channel\":\"a\",\"customer\":[]}", ["/customer invalidValue"]),
            (
                "{\"channel\":\"a\",\"customer\":{\"id\":7,\"nick\":\"x\"},\"more\":1}",
                ["/customer/id invalidValue", "/customer/nick unknownMember", "/more unknownMember"]
            ),
            ("{\"channel\":\"a\",\"x~y/z\":1}", ["/x~0y~1z unknownMember"]),
            ("\"text\"", [" invalidValue", "/channel missingMember"]),
        ] as [(String, [String])])
    func session(json: String, expected: [String]) throws {
        #expect(try problems(json, as: NewSession.self) == expected)
    }

    @Test func reportsABoundedNumberOfProblems() throws {
        let members = (0..<1000).map { "\"m\($0)\":1" }.joined(separator: ",")
        #expect(try problems("{\(members)}", as: TypingBody.self).count == 32)
    }

    @Test func allInnerObjectsTogetherHaveABoundedNumberOfProblems() throws {
        let fields = (0..<1000).map { "\"f\($0)\":1" }.joined(separator: ",")
        let found = try problems("{\"customFields\":{\(fields)},\"more\":1}", as: NewThread.self)
        #expect(found == (0..<32).map { "/customFields/f\($0) invalidValue" })
        let members = (0..<40).map { "{\"id\":\($0)}" }.joined(separator: ",")
        #expect(try problems("{\"channel\":\"a\",\"members\":[\(members)]}", as: NewDeskThread.self).count == 32)
        let few = "{\"channel\":\"a\",\"members\":[{\"id\":1},{\"id\":2,\"x\":0}],\"more\":1}"
        #expect(
            try problems(few, as: NewDeskThread.self) == [
                "/members/0/id invalidValue", "/members/1/id invalidValue", "/members/1/x unknownMember",
                "/more unknownMember",
            ])
    }

    @Test func aNumberMayBeWhole() throws {
        for value in ["10", "10.0", "1e1"] {
            let json = Array("{\"type\":\"conversion\",\"conversionType\":\"sale\",\"value\":\(value)}".utf8)
            let body: ActivityBody = try ObjectReader.read(JSONParser.parse(json))
            guard case .conversion(_, let number) = body.activity else { return #expect(Bool(false)) }
            #expect(number == 10)
        }
    }

    @Test func namesOfFieldsMustNotBeEquivalent() throws {
        let fields = "{\"customFields\":{\"\u{E9}\":\"1\",\"e\u{301}\":\"2\"}}"
        #expect(try problems(fields, as: NewThread.self) == ["/customFields/e\u{301} invalidValue"])
    }

    @Test func lengthsCountCodePoints() throws {
        let name = String(repeating: "\u{1F600}", count: 256)
        #expect(try problems("{\"name\":\"\(name)\"}", as: NewThread.self) == [])
        #expect(try problems("{\"name\":\"\(name)x\"}", as: NewThread.self) == ["/name invalidValue"])
    }

    @Test func nullTakesAThreadsNameAway() throws {
        let patch: ThreadPatch = try ObjectReader.read(JSONParser.parse(Array("{\"name\":null}".utf8)))
        #expect(patch.name == nil)
    }
}

@Suite struct QueryReaderTests {
    private func reader(_ pairs: [(String, String)], known: [String] = ["limit", "cursor"]) throws -> QueryReader {
        try QueryReader(pairs.map { (name: $0.0, value: $0.1) }, known: .only(known, repeatable: ["session"]))
    }

    @Test(arguments: ["0", "201", "-1", "+5", "1.5", "", " 1", "x", "99999999999999999999"])
    func badLimits(text: String) throws {
        let query = try reader([("limit", text)])
        #expect(throws: Problem.self) { try query.page() }
    }

    @Test func limits() throws {
        #expect(try reader([]).page().limit == 50)
        #expect(try reader([("limit", "200")]).page().limit == 200)
        #expect(try reader([("cursor", "abc")]).page().cursor == "abc")
    }

    @Test func whatTheRouteSaysMayBeRepeatedAndNothingElse() throws {
        #expect(try reader([("session", "a"), ("session", "b")]).all("session") == ["a", "b"])
        #expect(throws: Problem.self) { try reader([("cursor", "a"), ("cursor", "b")]) }
        #expect(throws: Problem.self) { try reader([("other", "a")]) }
    }

    @Test func neighboursKeepTheOtherParameters() throws {
        #expect(try reader([("limit", "5"), ("cursor", "old")]).replacing(cursor: "a/b") == "limit=5&cursor=a%2Fb")
    }
}
