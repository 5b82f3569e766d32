#if CXone
    import Foundation
    import Testing

    @testable import parley

    /// Files of tokens become encrypted rows, and files again.
    @Suite struct PlatformTokensTests {
        private static let key = [UInt8](repeating: 1, count: 32)

        /// A folder with the tokens of two accounts, and the rows that they become.
        private static func run(_ body: (_ rows: [String: [UInt8]], _ other: String) throws -> Void) throws {
            let root = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)").path
            let (folder, other) = (root + "/one", root + "/two")
            for path in [folder + "/cxone", other] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            defer { try? FileManager.default.removeItem(atPath: root) }
            for (name, text) in [("7.json", "secret 7"), ("12.json", "secret 12"), ("7.json.new", "half")] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/cxone/\(name)"))
            }
            var rows: [String: [UInt8]] = [:]
            let count = try PlatformTokens(folder, key: key).move { rows[$0] = $1 }
            #expect(count == 2 && rows.count == 2)
            try body(rows, other)
        }

        private static func store(
            _ rows: [String: [UInt8]], in folder: String, key: [UInt8] = PlatformTokensTests.key
        ) throws -> Int {
            try PlatformTokens(folder, key: key).store { body in
                for (name, bytes) in rows { try body(name, bytes) }
            }
        }

        @Test func theyComeBack() throws {
            try Self.run { rows, other in
                let count = try Self.store(rows, in: other)
                #expect(count == 2)
                let path = other + "/cxone/7.json"
                let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
                #expect(text == "secret 7")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                #expect(!rows.values.contains { String(decoding: $0, as: UTF8.self).contains("secret") })
            }
        }

        @Test func anotherKeyAndAnotherNameOpenNothing() throws {
            try Self.run { rows, other in
                let wrong = [UInt8](repeating: 2, count: 32)
                #expect(throws: DataFolderError.self) { try Self.store(rows, in: other, key: wrong) }
                let (first, last) = (rows.keys.sorted()[0], rows.keys.sorted()[1])
                let moved = [first: rows[last] ?? []]
                #expect(throws: DataFolderError.self) { try Self.store(moved, in: other) }
            }
        }

        @Test func aFolderWithoutTokensHasNone() throws {
            let count = try PlatformTokens("/nonexistent", key: Self.key).move { _, _ in }
            #expect(count == 0)
        }
    }
#endif
