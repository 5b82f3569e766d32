import ChatModel
import ChatStore
import Foundation
import TestSupport
import Testing

@testable import CXoneService

/// The files in which the platform's tokens stand.
@Suite struct AccountVaultTests {
    private func withVault(_ body: (AccountVault, String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "vault-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(AccountVault(folder: folder, makeID: { "id" }), folder)
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
                let stored = try await AccountVault(folder: folder, makeID: { "other" }).state(of: account)
                #expect(stored.customerID == "named by the platform" && stored.visitorID == "id")
            }
        }
    }
}
