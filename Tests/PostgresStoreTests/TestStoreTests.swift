import TestSupport
import Testing

/// Where a run of the tests has its stores.
struct TestStoreTests {
    @Test func aRunWithoutAServerFails() throws {
        for variables in [[:], ["PARLEY_TEST_POSTGRES": ""]] {
            #expect(throws: MissingServer.self) { try TestDatabases.server(of: variables) }
        }
        #expect(try TestDatabases.server(of: ["PARLEY_TEST_POSTGRES": "a"]) == "a")
    }
}
