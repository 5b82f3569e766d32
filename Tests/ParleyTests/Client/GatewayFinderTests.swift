import Foundation
import Testing

@testable import parley

/// Where commands look for the gateway, and to whom they give its token.
@Suite struct GatewayFinderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "secret\n".write(toFile: path + "/token", atomically: true, encoding: .utf8)
        try body(path)
    }

    private func finder(_ folder: String, isNamed: Bool = false, _ environment: [String: String] = [:]) -> GatewayFinder
    {
        GatewayFinder(folder: folder, isFolderNamed: isNamed, environment: environment)
    }

    @Test func theFolderSaysWhereItsGatewayIs() throws {
        try withFolder { folder in
            try "http://127.0.0.1:5\n".write(toFile: folder + "/address", atomically: true, encoding: .utf8)
            var found = try finder(folder).find()
            #expect(found.address == .tcp(host: "127.0.0.1", port: 5))
            #expect(found.token == "secret" && found.place.contains(folder + "/address"))
            try FileManager.default.removeItem(atPath: folder + "/address")
            try "/run/some.sock\n".write(toFile: folder + "/socket", atomically: true, encoding: .utf8)
            found = try finder(folder).find()
            #expect(found.address == .unix(path: "/run/some.sock") && found.token == "secret")
        }
    }

    /// The token opens everything, so it is not told to whoever listens somewhere.
    @Test func theTokenGoesToItsOwnGatewayOnly() throws {
        try withFolder { folder in
            try "http://127.0.0.1:5\n".write(toFile: folder + "/address", atomically: true, encoding: .utf8)
            var other = finder(folder)
            other.gateway = "http://127.0.0.1:6"
            #expect(try other.find().token == nil)
            other.gateway = "http://127.0.0.1:5"
            #expect(try other.find().token == "secret")
            other.gateway = "http://127.0.0.1:6"
            other.isFolderNamed = true
            #expect(try other.find().token == "secret")
            other.environment["PARLEY_TOKEN"] = "mine"
            #expect(try other.find().token == "mine")
            other.tokenFile = folder + "/token"
            #expect(try other.find().token == "secret")
            other.tokenFile = folder + "/none"
            #expect(throws: CommandFailure.self) { try other.find() }
        }
    }

    @Test func theStrongestSourceWins() throws {
        try withFolder { folder in
            let environment = ["PARLEY_GATEWAY": "unix:/b", "XDG_RUNTIME_DIR": folder]
            try "".write(toFile: folder + "/parley.sock", atomically: true, encoding: .utf8)
            var finder = finder(folder, environment)
            #expect(try finder.find().address == .unix(path: "/b"))
            finder.gateway = "unix:/a"
            #expect(try finder.find().address == .unix(path: "/a"))
            (finder.gateway, finder.environment["PARLEY_GATEWAY"]) = (nil, nil)
            #expect(try finder.find().address == .unix(path: folder + "/parley.sock"))
            // Whoever names a folder does not mean another gateway.
            finder.isFolderNamed = true
            let failure = #expect(throws: CommandFailure.self) { try finder.find() }
            #expect(failure?.status == .unreachable && failure?.message.contains(folder + "/address") == true)
        }
    }

    @Test func aTokenWithALineEndMakesNoHeader() throws {
        try withFolder { folder in
            var finder = finder(folder, ["PARLEY_TOKEN": "a\r\nX: y"])
            finder.gateway = "unix:/a"
            #expect(throws: CommandFailure.self) { try finder.find() }
        }
    }
}
