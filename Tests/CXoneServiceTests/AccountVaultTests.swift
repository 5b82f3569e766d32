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

    /// Nothing of it is left, on the disk or in memory: the next session is a new visitor to the platform.
    @Test func anErasedAccountIsGoneFromTheDiskAndFromMemory() async throws {
        try await withStore { store in
            let accounts = try await store.write { [key] transaction in
                [
                    try transaction.openAccount(key),
                    try transaction.openAccount(AccountKey(service: "cxone", channel: "chat", customer: "c2")),
                ]
            }
            try await withFolder { folder in
                let ids = Journal<String>()
                let vault = AccountVault(
                    VaultFolder(folder),
                    makeID: {
                        ids.add("id")
                        return "visitor \(ids.entries.count)"
                    })
                for account in accounts { try await vault.update(account) { $0.welcomeMessage = "secret" } }
                try await vault.erase(account: accounts[0].number)
                #expect(vault.count == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(accounts[1].number).json"])
                // Again, and of an account that was never there.
                try await vault.erase(account: accounts[0].number)
                try await vault.erase(account: 4711)
                let anew = try await vault.state(of: accounts[0])
                #expect(anew.visitorID == "visitor 3" && anew.welcomeMessage == nil)
                #expect(try await vault.state(of: accounts[1]).visitorID == "visitor 2")
            }
        }
    }

    // MARK: What cannot be used

    /// The file is there, and cannot be read: a broken disk, or too many open files. No test can take a right from root;
    /// a folder of that name is as unreadable.
    @Test func aFileThatCannotBeReadIsNoMissingFile() async throws {
        try await withStore { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            try await withVault { vault, folder in
                let path = "\(folder)/\(account.number).json"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                #expect(await refusal { try await vault.state(of: account) } == .storageFailed)
                #expect(await refusal { try await vault.update(account) { $0.welcomeMessage = "x" } } == .storageFailed)
                #expect(vault.count == 0)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(account.number).json"])
                // It can be read again.
                try FileManager.default.removeItem(atPath: path)
                #expect(try await vault.state(of: account).visitorID == "id")
            }
        }
    }

    @Test(arguments: ["no JSON", #"{"key":"cxone\nchat\nanother","visitorID":"v","customerID":"c"}"#])
    func aFileThatCannotBeUsedIsSetAsideAndTold(text: String) async throws {
        try await withStore { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            try await withFolder { folder in
                let (path, told) = ("\(folder)/\(account.number).json", Journal<String>())
                for number in 1...2 {
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                    let vault = AccountVault(VaultFolder(folder), makeID: { "new" }, notice: { told.add($0) })
                    // Whoever asks at the same time gets the same state, and sets nothing else aside.
                    async let one = vault.state(of: account)
                    async let other = vault.state(of: account)
                    let (first, second) = try await (one, other)
                    #expect(first == second && first.visitorID == "new" && first.customerID == "c1")
                    let kept = FileManager.default.contents(atPath: "\(path).aside-\(number)")
                    #expect(kept.map { String(decoding: $0, as: UTF8.self) } == text)
                    #expect(told.entries.count == number)
                    #expect(told.entries.last?.contains("\(path).aside-\(number)") == true)
                    let again = try await AccountVault(VaultFolder(folder), makeID: { "other" }).state(of: account)
                    #expect(again.visitorID == "new")
                }
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
    @Test func whatIsNotSealedForAnAccountGivesNothing() async throws {
        try await withTable { store in
            let table = Self.table(store)
            #expect(await table.write(1) { Data("state".utf8) })
            #expect(try await table.read(1) == .bytes(Data("state".utf8)))
            #expect(try await table.read(3) == .nothing)
            #expect(try await Self.table(store, key: 2).read(1) == .undecryptable)
            let name = VaultSeal.name(1)
            var bytes = try #require(try await store.read { try $0.sealed(name) })
            try await store.write { [bytes] in try $0.saveSealed(bytes, name: VaultSeal.name(2)) }
            #expect(try await table.read(2) == .undecryptable)
            bytes[bytes.count / 2] ^= 1
            try await store.write { [bytes] in try $0.saveSealed(bytes, name: name) }
            #expect(try await table.read(1) == .undecryptable)
            try await store.write { try $0.saveSealed([1, 2, 3], name: name) }
            #expect(try await table.read(1) == .undecryptable)
        }
    }

    /// The tokens come back with the right key.
    @Test func whatAnotherKeyHasSealedIsSetAsideAndTold() async throws {
        try await withTable { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            let told = Journal<String>()
            let (name, aside) = (VaultSeal.name(account.number), VaultSeal.name(account.number, aside: 1))
            _ = try await AccountVault(Self.table(store, key: 2), makeID: { "old" }).state(of: account)
            let sealed = try await store.read { try $0.sealed(name) }
            let vault = AccountVault(Self.table(store), makeID: { "new" }, notice: { told.add($0) })
            #expect(try await vault.state(of: account).visitorID == "new")
            #expect(told.entries.count == 1 && told.entries[0].contains(aside))
            #expect(try await store.read { try $0.sealed(aside) } == sealed)
            let other = try await AccountVault(Self.table(store), makeID: { "other" }).state(of: account)
            #expect(other.visitorID == "new")
            try await store.write { transaction in
                try transaction.renameSealed(name, to: VaultSeal.name(account.number, aside: 2))
                try transaction.renameSealed(aside, to: name)
            }
            let old = try await AccountVault(Self.table(store, key: 2), makeID: { "other" }).state(of: account)
            #expect(old.visitorID == "old")
        }
    }

    /// A database that is away is no reason to give an account a new identity.
    @Test func aReadThatFailsMakesNoNewState() async throws {
        try await withTable { store in
            let account = try await store.write { [key] in try $0.openAccount(key) }
            let vault = AccountVault(Self.table(store), makeID: { "id" })
            await store.close()
            #expect(await refusal { try await vault.state(of: account) } == .shuttingDown)
            #expect(vault.count == 0)
        }
    }
}
