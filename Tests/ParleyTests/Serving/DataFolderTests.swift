import ChatModel
import Formats
import Foundation
import Testing

@testable import parley

@Suite struct DataFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)/data")
            .path
        defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
        try body(path)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func secretsAreMadeOnceAndAreTheOwnersAlone() throws {
        try withFolder { path in
            let folder = try DataFolder(path)
            let token = try folder.secret("token")
            #expect(token.count == 32)
            #expect(try folder.secret("token") == token)
            #expect(try folder.secret("key") != token)
            #expect(try mode(path) == 0o700)
            #expect(try mode(path + "/token") == 0o600)
            #expect(DataFolder.line(path + "/token").flatMap { Base64URL.decode($0) } == token)
        }
    }

    @Test func aSecretThatIsNoneIsNotReplaced() throws {
        try withFolder { path in
            let folder = try DataFolder(path)
            try folder.write("short\n", to: "token")
            #expect(throws: DataFolderError.self) { try folder.secret("token") }
            #expect(DataFolder.line(path + "/token") == "short")
        }
    }

    /// A new one would void every session's token, and nobody would know why.
    @Test(arguments: ["empty", "folder"]) func aSecretThatCannotBeReadIsNotReplaced(kind: String) throws {
        try withFolder { path in
            let folder = try DataFolder(path)
            let file = path + "/key"
            if kind == "empty" {
                try folder.write("", to: "key")
            } else {
                try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            }
            let error = #expect(throws: DataFolderError.self) { try folder.secret("key") }
            #expect(error?.description.contains(file) == true)
            #expect(folder.has("key") && DataFolder.line(file) == nil)
        }
    }

    /// Gateways of one database share their secrets.
    @Test func aSecretComesFromAnotherFileAndMayNotDifferFromIt() throws {
        try withFolder { path in
            let folder = try DataFolder(path)
            let source = path + "/given"
            let error = #expect(throws: DataFolderError.self) { try folder.secret("key", from: source) }
            #expect(error?.description.contains(source) == true && !folder.has("key"))
            try folder.write("no secret\n", to: "given")
            #expect(throws: DataFolderError.self) { try folder.secret("key", from: source) }
            let given = [UInt8](repeating: 7, count: 32)
            try folder.write(Base64URL.encode(given) + "\n", to: "given")
            #expect(try folder.secret("key", from: source) == given)
            #expect(try folder.secret("key") == given, "a copy is in the folder")
            #expect(try mode(path + "/key") == 0o600)
            #expect(mkfifo(path + "/fifo", 0o600) == 0)
            #expect(throws: DataFolderError.self, "nobody writes into it") {
                try folder.secret("key", from: path + "/fifo")
            }
            let own = try folder.secret("token")
            let refusal = #expect(throws: DataFolderError.self) { try folder.secret("token", from: source) }
            #expect(refusal?.description.contains(source) == true)
            #expect(try folder.secret("token") == own, "it stays as it is")
        }
    }

    @Test func oneGatewayHasTheFolder() throws {
        try withFolder { path in
            let first = try DataFolder(path)
            let error = #expect(throws: DataFolderError.self) { try DataFolder(path) }
            #expect(error?.description.contains("Another gateway is running") == true)
            withExtendedLifetime(first) {}
        }
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        try withFolder { path in
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try "a file".write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: DataFolderError.self) { try DataFolder(path + "/below") }
            #expect(error?.description.contains(path + "/below") == true)
        }
    }
}
