import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct AccessKeyTests {
    private let start = TestEnvironment.start

    @Test func keysAreReadAsTheyWereWrittenOldestFirst() async throws {
        try await withStore { store in
            var full = sampleKey("b", createdAt: start)
            full.previousDigest = sampleDigest("before")
            full.previousUntil = start.advanced(bySeconds: 60)
            full.scopes = ["desk.write", "channels.read"]
            full.channels = ["help", "\"ä\u{0}"]
            full.agent = Agent(id: "bot", name: "Bot", isBot: true)
            full.expiresAt = start.advanced(bySeconds: 3600)
            full.lastUsedAt = start
            let bare = sampleKey("a", createdAt: start.advanced(bySeconds: -1))
            let (first, second) = (full, bare)
            try await store.write { transaction in
                try transaction.insert(first)
                try transaction.insert(second)
            }
            #expect(try await store.read { try $0.accessKeys() } == [bare, full])
            #expect(try await store.read { try $0.accessKey("b") } == full)
        }
    }

    /// No channels are not all channels.
    @Test func aKeyWithoutAnyChannelStaysOne() async throws {
        try await withStore { store in
            try await store.write { transaction in
                var key = sampleKey("a", createdAt: transaction.now)
                key.channels = []
                try transaction.insert(key)
            }
            let channels = try await store.read { try $0.accessKey("a").channels }
            #expect(channels == [])
        }
    }

    @Test func aKeyThatIsNotThereIsUnknown() async throws {
        try await withStore { store in
            let start = start
            #expect(await refusal { try await store.read { try $0.accessKey("x") } } == .unknownKey)
            #expect(await refusal { try await store.write { try $0.removeAccessKey("x") } } == .unknownKey)
            #expect(
                await refusal { try await store.write { try $0.replace(sampleKey("x", createdAt: start)) } }
                    == .unknownKey)
            try await store.write { try $0.insert(sampleKey("x", createdAt: $0.now)) }
            try await store.write { try $0.removeAccessKey("x") }
            #expect(await refusal { try await store.write { try $0.removeAccessKey("x") } } == .unknownKey)
            #expect(try await store.read { try $0.accessKeys() }.isEmpty)
        }
    }

    @Test func aKeyIsReplaced() async throws {
        try await withStore { store in
            let changed = try await store.write { transaction in
                for id in ["a", "b"] { try transaction.insert(sampleKey(id, createdAt: transaction.now)) }
                var key = try transaction.accessKey("a")
                key.previousDigest = key.digest
                key.previousUntil = transaction.now.advanced(bySeconds: 60)
                key.digest = sampleDigest("new")
                key.name = "Grafana"
                key.expiresAt = transaction.now.advanced(bySeconds: 61)
                try transaction.replace(key)
                return key
            }
            #expect(try await store.read { try $0.accessKey("a") } == changed)
            #expect(try await store.read { try $0.accessKey("b") }.name == "Prometheus")
        }
    }

    /// The text of a key names one key.
    @Test func twoKeysDoNotHaveOneText() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for id in ["a", "b"] { try transaction.insert(sampleKey(id, createdAt: transaction.now)) }
            }
            #expect(
                await refusal {
                    try await store.write { transaction in
                        var key = sampleKey("c", createdAt: transaction.now)
                        key.digest = sampleDigest("a")
                        try transaction.insert(key)
                    }
                } == .storageFailed)
            #expect(
                await refusal {
                    try await store.write { transaction in
                        var key = try transaction.accessKey("b")
                        key.digest = sampleDigest("a")
                        try transaction.replace(key)
                    }
                } == .storageFailed)
            #expect(
                await refusal { try await store.write { try $0.insert(sampleKey("a", createdAt: $0.now)) } }
                    == .storageFailed)
            #expect(try await store.read { try $0.accessKeys().map(\.id) } == ["a", "b"])
        }
    }

    @Test func thereAreNoMoreThanAThousand() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for number in 0..<AccessKey.maximumCount {
                    try transaction.insert(sampleKey("k\(number)", createdAt: transaction.now))
                }
            }
            #expect(
                await refusal { try await store.write { try $0.insert(sampleKey("x", createdAt: $0.now)) } }
                    == .tooManyKeys)
            try await store.write { transaction in
                try transaction.removeAccessKey("k7")
                try transaction.insert(sampleKey("x", createdAt: transaction.now))
            }
            #expect(try await store.read { try $0.accessKeys().count } == AccessKey.maximumCount)
        }
    }

    @Test func theUseOfManyKeysIsNotedAtOnceAndNeverGoesBack() async throws {
        try await withStore { store in
            let start = start
            try await store.write { transaction in
                for id in ["a", "b", "c"] { try transaction.insert(sampleKey(id, createdAt: start)) }
                try transaction.noteUse(ofKeys: ["a": start, "b": start.advanced(bySeconds: 9), "gone": start])
                try transaction.noteUse(ofKeys: ["a": start.advanced(bySeconds: 5), "b": start])
            }
            let times = try await store.read { try $0.accessKeys().map(\.lastUsedAt) }
            #expect(times == [start.advanced(bySeconds: 5), start.advanced(bySeconds: 9), nil])
        }
    }
}
