import ChatModel
import Foundation
import TestSupport
import Testing

@testable import CXoneService
@testable import ChatStore

/// Where the platform's tokens stand.
@Suite struct AccountVaultTests {
    private func withVault(_ body: (AccountVault, String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "vault-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(AccountVault(VaultFolder(folder), makeID: { "id" }), folder)
    }

    private let key = AccountKey(service: "cxone", channel: "chat", customer: "c1")

    @Test func aChangeThatCouldNotBeWrittenIsWrittenWithTheNextCall() async throws {
        try await withStore { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            try await withVault { vault, folder in
                _ = try await vault.state(of: account)
                let change: @Sendable (inout AccountState) -> Void = { $0.customerID = "named by the platform" }
                // The name of the draft is taken by a folder.
                let draft = "\(folder)/\(account.number).json.new"
                try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
                #expect(await refusal { try await vault.update(account, change) } == .storageFailed)
                #expect(await refusal { try await vault.update(account, change) } == .storageFailed)
                try FileManager.default.removeItem(atPath: draft)
                try await vault.update(account, change)
                let stored = try await AccountVault(VaultFolder(folder), makeID: { "other" }).state(of: account)
                #expect(stored.customerID == "named by the platform" && stored.visitorID == "id")
            }
        }
    }

    // MARK: In the database

    private static func table(_ store: ChatStore, key: UInt8 = 1) -> VaultTable {
        VaultTable(store, seal: VaultSeal(key: [UInt8](repeating: key, count: 32)))
    }

    /// A store with the table that only PostgreSQL has by itself.
    private func withTable(_ body: (ChatStore) async throws -> Void) async throws {
        try await withStore { store in
            if !TestDatabases.isPostgres {
                try store.onWriter { try $0.run("/* all */ CREATE TABLE sealed (name TEXT PRIMARY KEY, bytes BLOB)") }
            }
            try await body(store)
        }
    }

    @Test func anotherGatewayReadsWhatOneHasSealed() async throws {
        try await withTable { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            let token = AccountState.Token("from the platform", expiresIn: nil, now: store.environment.now())
            let vault = AccountVault(Self.table(store), makeID: { "id" })
            try await vault.update(account) { $0.accessToken = token }
            let other = try await AccountVault(Self.table(store), makeID: { "other" }).state(of: account)
            #expect(other.accessToken == token && other.visitorID == "id")
            let stored = try await store.read { try $0.sealed(VaultSeal.name(account.number)) }
            #expect(stored?.isEmpty == false)
            #expect(
                !String(decoding: stored ?? [], as: UTF8.self).contains("platform"), "nobody reads it without the key")
        }
    }

    /// Neither another key nor another account's row nor a changed byte gives a token.
    @Test func whatIsNotSealedForAnAccountCountsAsNothing() async throws {
        try await withTable { store in
            let table = Self.table(store)
            #expect(await table.write(1) { Data("state".utf8) })
            #expect(try await table.read(1) == Data("state".utf8))
            #expect(try await Self.table(store, key: 2).read(1) == nil)
            let name = VaultSeal.name(1)
            var bytes = try #require(try await store.read { try $0.sealed(name) })
            try await store.write { [bytes] in try $0.saveSealed(bytes, name: VaultSeal.name(2)) }
            #expect(try await table.read(2) == nil)
            bytes[bytes.count / 2] ^= 1
            try await store.write { [bytes] in try $0.saveSealed(bytes, name: name) }
            #expect(try await table.read(1) == nil)
            try await store.write { try $0.saveSealed([1, 2, 3], name: name) }
            #expect(try await table.read(1) == nil)
        }
    }

    /// A database that is away is no reason to give an account a new identity.
    @Test func aReadThatFailsMakesNoNewState() async throws {
        try await withTable { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            let vault = AccountVault(Self.table(store), makeID: { "id" })
            await store.close()
            #expect(await refusal { try await vault.state(of: account) } == .storageFailed)
            #expect(vault.count == 0)
        }
    }
}
