import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct KeyTextTests {
    @Test func aTextIsReadAsItWasDrawn() throws {
        let text = KeyText()
        #expect(text.text.utf8.count == 50 && text.text.hasPrefix("plk_\(text.id)"))
        let read = try #require(KeyText(text.text))
        #expect(read.id == text.id && read.digest == text.digest)
        #expect(KeyText(id: text.id).id == text.id && KeyText(id: text.id).text != text.text)
    }

    /// All single characters that may be mistyped, and two that may be exchanged.
    @Test func aMistypedTextIsNoKey() {
        let text = Array(KeyText().text.utf8)
        for index in text.indices {
            for other in "0Zz".utf8 where other != text[index] {
                var wrong = text
                wrong[index] = other
                #expect(KeyText(String(decoding: wrong, as: UTF8.self)) == nil)
            }
            var swapped = text
            swapped.swapAt(index, text.count - 1)
            if swapped != text { #expect(KeyText(String(decoding: swapped, as: UTF8.self)) == nil) }
        }
        for wrong in [
            "", "plk_", "plk_\u{0}", String(repeating: "plk_", count: 50), "plk_" + String(repeating: "é", count: 23),
        ] {
            #expect(KeyText(wrong) == nil)
        }
    }
}

@Suite struct ScopeTests {
    @Test func whoManagesMayWriteAndWhoWritesMayRead() {
        for scope in Scope.allCases {
            let set = ScopeSet([scope])
            #expect(set.contains(scope))
            let parts = scope.rawValue.split(separator: ".")
            for other in Scope.allCases where other != scope {
                let others = other.rawValue.split(separator: ".")
                let less = ["manage": ["write", "read"], "write": ["read"]][parts[1]] ?? []
                #expect(
                    set.contains(other) == (parts[0] == others[0] && less.contains(String(others[1]))),
                    "\(scope) \(other)")
            }
        }
        #expect(Scope.allCases.allSatisfy(ScopeSet.all.contains))
    }
}

@Suite struct KeyRingTests {
    private static let entry = NewAuditEntry(actor: "gateway", actorName: "gateway", action: "key.changed", subject: "")

    private static func key(_ text: KeyText, at now: Timestamp) -> AccessKey {
        AccessKey(
            id: text.id, name: "test", digest: text.digest, scopes: ["desk.read"], createdAt: now, createdBy: "gateway")
    }

    @Test func aKeyEndsAtItsTimeAndTheFormerTextAtTheOverlaps() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let ring = KeyRing(store: store)
            let now = Timestamp(milliseconds: 1_000_000)
            let (first, second) = (KeyText(), KeyText())
            let renamed = KeyText(id: first.id)
            try await ring.add(Self.key(first, at: now), receipt: nil, Self.entry)
            func opens(_ text: KeyText, after milliseconds: Int64) -> Bool {
                ring.isValid(first.id, digest: text.digest, at: now.advanced(byMilliseconds: milliseconds))
            }
            #expect(opens(first, after: 0) && !opens(second, after: 0))
            _ = try await ring.change(first.id, Self.entry) { key in
                (key.previousDigest, key.previousUntil) = (key.digest, now.advanced(byMilliseconds: 10))
                key.digest = renamed.digest
                key.expiresAt = now.advanced(byMilliseconds: 20)
            }
            #expect(opens(first, after: 9) && !opens(first, after: 10))
            #expect(opens(renamed, after: 19) && !opens(renamed, after: 20))
            let again = KeyRing(store: store)
            try await again.load()
            #expect(again.all() == ring.all() && again.rights(of: first.id).scopes == ScopeSet([.deskRead]))
            try await ring.remove(first.id, Self.entry)
            #expect(!opens(renamed, after: 0) && ring.rights(of: first.id).scopes == ScopeSet([]))
            #expect(
                !ring.rights(of: first.id).reaches("any"), "nor for a request that was let in")
            await #expect(throws: ChatError.self) { try await ring.remove(first.id, Self.entry) }
        }
    }

    /// What is in memory afterwards is what the store has, whichever answer came first.
    @Test func changesAtTheSameTimeLeaveWhatTheStoreHas() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let ring = KeyRing(store: store)
            let text = KeyText()
            try await ring.add(Self.key(text, at: Timestamp(milliseconds: 0)), receipt: nil, Self.entry)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        _ = try await ring.change(text.id, Self.entry) { $0.name = "\(number)" }
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await store.read { try $0.accessKey(text.id) }
            let kept = try ring.known(text.id)
            #expect(stored == kept)
        }
    }

    @Test func theLastUseIsStoredSeldom() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let ring = KeyRing(store: store)
            let text = KeyText()
            let now = Timestamp(milliseconds: 1_000_000)
            try await ring.add(Self.key(text, at: now), receipt: nil, Self.entry)
            #expect(ring.use(text.id, digest: text.digest, at: now))
            #expect(ring.use(text.id, digest: text.digest, at: now.advanced(byMilliseconds: 59_999)))
            #expect(ring.key(text.id)?.lastUsedAt == now)
            #expect(!ring.use(text.id, digest: KeyText().digest, at: now.advanced(byMilliseconds: 200_000)))
            let before = try await store.read { try $0.accessKey(text.id) }
            #expect(before.lastUsedAt == nil)
            try await ring.storeUse()
            let after = try await store.read { try $0.accessKey(text.id) }
            #expect(after.lastUsedAt == now)
            #expect(ring.key(text.id)?.lastUsedAt == now)
        }
    }
}

@Suite struct AccessWatchTests {
    @Test func whatIsNotValidAnyMoreEndsOnce() {
        let watch = AccessWatch()
        let ended = Mutex<[String]>([])
        func open(_ identity: Identity, _ name: String) -> Int {
            watch.add(TokenAuthority.Holder(identity: identity, proof: .key(digest: Array(name.utf8)))) {
                ended.withLock { $0.append(name) }
            }
        }
        _ = open(.key("a"), "a1")
        let second = open(.key("a"), "a2")
        _ = open(.key("b"), "b1")
        watch.forget(second, of: .key("a"))
        watch.review(.key("b")) { _ in true }
        #expect(ended.withLock { $0 } == [])
        watch.review(.key("a")) { _ in false }
        #expect(ended.withLock { $0 } == ["a1"])
        watch.review { $0.identity == .key("a") }
        #expect(ended.withLock { $0 }.sorted() == ["a1", "b1"])
        #expect(watch.count == 2, "what has ended is forgotten by whoever has registered it")
    }
}
