import Testing

@testable import MicroHTTP

@Suite struct LayoutCheckTests {
    @Test func theLibraryThatIsHereCanBeChecked() throws {
        #expect(try LayoutCheck.passes())
    }

    /// As with a library that places the fields in another way: clear heads would be refused, or forged ones would
    /// pass.
    @Test func anotherLayoutIsNoticed() throws {
        #expect(try !LayoutCheck.check([("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400)]))
        #expect(try !LayoutCheck.check([("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n", 204)]))
        #expect(try !LayoutCheck.check([("no head", 204)]))
    }
}
