import Testing

@testable import HTTPRouting

@Suite struct IdempotencyKeyTests {
    @Test(
        arguments: [
            ("abc", "abc"), ("\"abc\"", "abc"), ("\"a\\\"b\\\\c\"", "a\"b\\c"), ("a b", "a b"), ("\"", nil),
            ("\"\"", nil), ("", nil),
            ("\"abc", nil), ("\"abc\"x", nil), ("\"a\\b\"", nil), ("\u{e9}", nil), ("a\u{7f}", nil),
        ] as [(String, String?)])
    func keys(header: String, value: String?) {
        #expect((try? IdempotencyKey(header))?.value == value)
    }

    @Test func lengths() {
        #expect((try? IdempotencyKey(String(repeating: "x", count: 255))) != nil)
        #expect((try? IdempotencyKey(String(repeating: "x", count: 256))) == nil)
    }

    private func scope(_ target: String) throws -> String {
        try IdempotencyKey("k").request(.init(method: "POST", target: target), by: .gateway).scope
    }

    @Test(arguments: [
        ("/v1/a:b/c", "/v1/a%3Ab/c"), ("/v1/a:b/c", "/v1/%61%3ab/c"), ("/v1/x?customer=a+b", "/v1/x?customer=a%20b"),
        ("/v1/x?q=~", "/v1/x?q=%7E"),
    ])
    func theScopeDoesNotDependOnTheSpelling(one: String, other: String) throws {
        #expect(try scope(one) == scope(other))
    }

    @Test(arguments: [
        ("/v1/x?customer=a", "/v1/x?customer=b"), ("/v1/x", "/v1/x?customer=a"), ("/v1/a/b", "/v1/a%2Fb"),
        ("/v1/a", "/v1/A"),
        ("/v1/x?a=b&c=d", "/v1/x?a=b%26c=d"), ("/v1/x?a=1", "/v1/x%3Fa=1"),
    ])
    func otherTargetsHaveOtherScopes(one: String, other: String) throws {
        #expect(try scope(one) != scope(other))
    }
}
