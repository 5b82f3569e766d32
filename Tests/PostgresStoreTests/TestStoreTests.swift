import TestSupport
import Testing

/// Where a run of the tests has its stores.
struct TestStoreTests {
    @Test func aRunWithoutAServerFails() throws {
        #expect(try TestDatabases.server(of: [:]) == nil)
        #expect(try TestDatabases.server(of: ["PARLEY_TEST_POSTGRES": "a"]) == nil)
        let wanted = ["PARLEY_TEST_STORE": "postgres"]
        #expect(throws: MissingServer.self) { try TestDatabases.server(of: wanted) }
        #expect(try TestDatabases.server(of: wanted.merging(["PARLEY_TEST_POSTGRES": "a"]) { $1 }) == "a")
    }
}
