import TestSupport
import Testing

@testable import PostgresStore

/// How the address of a database is read. libpq is there where a server is.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct PostgresAddressTests {
    @Test(arguments: [
        "postgres://parley@h1:1,h2:2/parley?sslmode=require", "postgres:///parley?host=/run",
        "postgres://u:se%40cret@h/d", "postgresql://h/d?target_session_attrs=read-write",
    ])
    func whatLibpqTakesIsTaken(address: String) throws {
        #expect(try PostgresAddress(address).text == address)
    }

    /// A password whose special characters are not percent-encoded may be anywhere in the address.
    @Test(arguments: [
        "postgres://u:secret%ZZ@h/d", "postgres://u:s@secret@h/d", "postgres://u:s/secret@h/d",
        "postgres://u:secret@h/d?x=1", "postgres://secret:1,2@h1:0,h2/d", "postgres://u:secret@h:65536/d",
        "postgres://u:secret@h/d?sslmode=secret",
        "postgres://u:secret@h/d?target_session_attrs=secret",
    ])
    func whatCanNeverBeReachedIsRefusedWithoutItsSecrets(address: String) throws {
        let refusal = try #require(throws: PostgresRefusal.self) { try PostgresAddress(address) }
        #expect(refusal.description.hasPrefix("The address"))
        #expect(!refusal.description.contains("secret"))
    }

    @Test func optionsOfTheAddressStandBeforeTheGatewaysOwn() async throws {
        try await TestDatabase.run { database in
            let mark = database.address.contains("?") ? "&" : "?"
            let address = database.address + mark + "options=-c%20search_path%3Dmine%20-c%20lock_timeout%3D1"
            let connection = try PostgresOptions(address: address, gateway: "g1").connect(.writing)
            defer { connection.close() }
            for (name, value) in [("search_path", "mine"), ("lock_timeout", "5s")] {
                try connection.query("SHOW \(name)") { row in
                    #expect(row.text(0) == value)
                    return false
                }
            }
        }
    }
}
