import Configuration
import Foundation
import Testing

@testable import parley

/// Where a value comes from: flag, environment, file, default, in this order.
@Suite struct SettingsTests {
    private func settings(
        flags: [Setting: ConfigContent] = [:], file: String? = nil, environment: [String: String] = [:]
    ) async throws -> Settings {
        guard let file else { return try await Settings(flags: flags, file: nil, environment: environment) }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString).json")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try file.write(toFile: path, atomically: true, encoding: .utf8)
        return try await Settings(flags: flags, file: path, environment: environment)
    }

    @Test func theStrongestOriginWins() async throws {
        let file = #"{"log-level": "error", "stream-limit": 7, "listen": ["127.0.0.1:1"], "demo": true}"#
        let variables = ["PARLEY_LOG_LEVEL": "debug", "PARLEY_LISTEN": "127.0.0.1:2,unix:/tmp/x"]
        let settings = try await settings(flags: [.logLevel: .string("trace")], file: file, environment: variables)
        #expect(settings.string(.logLevel) == "trace")
        #expect(settings[.logLevel].origin == .flag)
        #expect(settings.strings(.listen) == ["127.0.0.1:2", "unix:/tmp/x"])
        #expect(settings[.listen].origin == .environment)
        #expect(settings.number(.streamLimit) == 7)
        #expect(settings[.streamLimit].origin == .file)
        #expect(settings.flag(.demo))
        #expect(settings.number(.bodyLimit) == 1 << 20)
        #expect(settings[.bodyLimit].origin == .default)
    }

    @Test(arguments: [
        (["HOME": "/home/ada"], "/home/ada/.local/share/parley"),
        (["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], "/data/parley"),
        (["HOME": "/home/ada", "XDG_DATA_HOME": "relative"], "/home/ada/.local/share/parley"),
    ])
    func theDataFolderIsTheUsers(environment: [String: String], folder: String) async throws {
        let settings = try await settings(environment: environment)
        #expect(settings.string(.data) == folder)
    }

    @Test(arguments: [
        (#"{"listne": []}"#, "unknown key: listne"), ("[1]", "must hold a JSON object"), ("{\"demo\": ", "is not JSON"),
        (#"{"stream-limit": "many"}"#, "stream-limit must be a whole number"),
        (#"{"stream-limit": -1}"#, "stream-limit must be from 0"),
        (#"{"connection-limit": 0}"#, "connection-limit must be from 1"),
        (
            #"{"body-limit": 2097153, "memory-limit": 16777216}"#,
            "body-limit must be at most 2097152, an eighth of memory-limit, not 2097153"
        ), (#"{"body-limit": 33554433}"#, "set memory-limit to at least 268435464"),
    ])
    func aWrongFileSaysWhatIsWrong(file: String, words: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings(file: file) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func aWrongVariableSaysWhatIsWrong() async throws {
        let error = await #expect(throws: SettingsError.self) {
            try await settings(environment: ["PARLEY_RETENTION_DAYS": "soon"])
        }
        #expect(error?.description == "PARLEY_RETENTION_DAYS must be a whole number.")
    }

    @Test func everySettingHasItsOwnNames() {
        #expect(Set(Setting.allCases.map(\.flag)).count == Setting.allCases.count)
        #expect(Setting.logLevel.flag == "log-level")
        #expect(Setting.logLevel.variable == "PARLEY_LOG_LEVEL")
    }

    @Test func aStoreIsSQLiteOrAnAddress() async throws {
        #expect(try StoreAddress(await settings()) == .sqlite)
        let address = "postgres://parley@db/parley?sslmode=verify-full"
        #expect(try StoreAddress(await settings(flags: [.store: .string(address)])) == .postgres(address))
        let unknown = try await settings(flags: [.store: .string("mysql://db")])
        #expect(throws: SettingsError.self) { try StoreAddress(unknown) }
    }

    /// Others can read a command line and a file. Only the environment may hold a password.
    @Test(arguments: [
        "postgres://parley:secret@db/parley", "postgresql://db/parley?user=parley&password=secret",
        "postgres://db/parley?pass%77ord=secret", "postgres://parley:s@cret@h1,h2/parley",
        "postgres://db:5432/parley?user=parley&password=s@cret", "postgres://parley:cret?password=x@db/parley",
        "postgres://parley:s?cret@db/parley", "postgres://parley:s/cret@db/parley", "postgres://parley:s:cret@db?x=y",
    ])
    func aPasswordMustNotBeInTheFlag(address: String) async throws {
        let error = await #expect(throws: SettingsError.self) {
            try StoreAddress(await settings(flags: [.store: .string(address)]))
        }
        #expect(error?.description.contains("PGPASSFILE") == true)
        #expect(error?.description.contains("cret") == false)
        #expect(try StoreAddress(await settings(environment: ["PARLEY_STORE": address])) == .postgres(address))
        #expect(!StoreAddress.withoutPassword(address).contains("cret"))
    }

    @Test func theAddressStaysWhole() {
        for address in ["sqlite", "postgres://parley@h1:1,h2:2/parley?sslmode=require", "postgres:///parley?host=/run"]
        {
            #expect(StoreAddress.withoutPassword(address) == address)
        }
        #expect(StoreAddress.withoutPassword("postgres://u:p@h/d?password=x&a=b") == "postgres://u@h/d?a=b")
    }
}
