import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// Devices of sessions and of the desk as rows.
@Suite struct DeviceTests {
    private static func draft(
        _ id: String, _ audience: Audience = .desk, session: String? = nil, at address: String
    ) -> TargetDraft {
        TargetDraft(
            id: id, kind: .webPush, audience: audience, session: session,
            settings: Array("{\"host\":\"\(address)\"}".utf8),
            address: address)
    }

    @Test func anAddressBelongsToOneSessionOfAChannel() async throws {
        try await withStore { store in
            let accounts = try await store.write { transaction in
                try [("multi", "c1"), ("multi", "c2"), ("live", "c3")].map { channel, customer in
                    try transaction.openAccount(AccountKey(service: "local", channel: channel, customer: customer))
                        .number
                }
            }
            for (index, account) in accounts.enumerated() {
                _ = try await store.write {
                    try $0.setDevice(Self.draft("d\(index)", .account(account), session: "s\(index)", at: "a"))
                }
            }
            _ = try await store.write { try $0.setDeskDevice(Self.draft("desk", at: "a")) }
            let ids = try await store.read { try $0.devices(of: .webPush, at: "a").map(\.id) }
            #expect(
                ids == ["d1", "d2", "desk"],
                "the second customer of the channel has it now; other channels and the desk keep theirs")
        }
    }

    @Test func theSameBrowserAtTheDeskIsOneDevice() async throws {
        try await withStore { store in
            let first = try await store.write { try $0.setDeskDevice(Self.draft("d1", at: "a")) }
            let again = try await store.write { try $0.setDeskDevice(Self.draft("d2", at: "a")) }
            #expect(first.isNew && !again.isNew && again.device == first.device)
            var changed = Self.draft("d3", at: "a")
            changed.settings = Array("{}".utf8)
            let other = try await store.write { [changed] in try $0.setDeskDevice(changed) }
            #expect(!other.isNew && other.device.id == "d1" && other.device.settings == changed.settings)
            #expect(try await store.read { try $0.deskDevices().count } == 1)
            #expect(try await store.read { try $0.audiencesWithDevices() } == [.desk])
        }
    }

    /// What ends a login or a key, or its right to read all channels.
    enum Ending: CaseIterable {
        case signOut, signOutEverywhere, expiry, removal, fewerChannels, disabling, idleProxy
        case keyRemoval, keyExpiry, keyRotation

        var isOfKey: Bool { [.keyRemoval, .keyExpiry, .keyRotation].contains(self) }
    }

    @Test(arguments: Ending.allCases) func aDeviceOfTheDeskEndsWithItsCredential(_ ending: Ending) async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let start = environment.now
            try await store.write { transaction in
                try transaction.insert(samplePerson("ada", createdAt: start))
                try transaction.insert(samplePerson("bo", createdAt: start))
                var longer = sampleLogin("l2", of: "bo", createdAt: start)
                longer.expiresAt = start.advanced(bySeconds: 1_000_000)
                try transaction.insert(longer)
                var own = ending == .expiry ? sampleLogin("l1", of: "ada", createdAt: start) : longer
                (own.id, own.person) = ("l1", "ada")
                (own.cookieDigest, own.pageDigest) = (sampleDigest("c"), sampleDigest("p"))
                if ending == .idleProxy { own.how = Login.byProxy }
                try transaction.insert(own)
                var key = sampleKey("k1", createdAt: start)
                if ending == .keyExpiry { key.expiresAt = start.advanced(bySeconds: 3600) }
                try transaction.insert(key)
                let byKey = DeskCredential.key("k1", mark: AccessKey.mark(of: key.digest))
                for (id, credential) in [
                    ("mine", DeskCredential.login("l1")), ("other", .login("l2")), ("bot", byKey), ("root", nil),
                ] {
                    var draft = Self.draft(id, at: id)
                    draft.credential = credential
                    #expect(try transaction.setDeskDevice(draft).device.credential == credential)
                }
            }
            if ending == .expiry || ending == .keyExpiry { environment.advance(milliseconds: 3_601_000) }
            if ending == .idleProxy { environment.advance(milliseconds: 86_401_000) }
            try await store.write { transaction in
                switch ending {
                case .signOut: try transaction.removeLogin("l1")
                case .signOutEverywhere: _ = try transaction.removeLogins(of: "ada")
                case .expiry: _ = try transaction.removeExpiredLogins()
                case .removal: _ = try transaction.removePerson("ada")
                case .fewerChannels:
                    var limited = try transaction.person("ada")
                    limited.channels = ["multi"]
                    try transaction.replace(limited)
                case .disabling:
                    var disabled = try transaction.person("ada")
                    disabled.state = .disabled
                    try transaction.replace(disabled)
                    try transaction.removeLapsedDeskDevices()
                case .idleProxy, .keyExpiry: try transaction.removeLapsedDeskDevices()
                case .keyRemoval: try transaction.removeAccessKey("k1")
                case .keyRotation:
                    var key = try transaction.accessKey("k1")
                    (key.previousDigest, key.previousUntil) = (key.digest, transaction.now)
                    key.digest = sampleDigest("another")
                    try transaction.replace(key)
                }
            }
            let gone = ending.isOfKey ? "bot" : "mine"
            let left = try await store.read { try $0.deskDevices().map(\.id) }
            #expect(left == ["mine", "other", "bot", "root"].filter { $0 != gone })
            let late = await refusal {
                try await store.write { transaction in
                    var draft = Self.draft("late", at: "late")
                    let mark = AccessKey.mark(of: sampleKey("k1", createdAt: start).digest)
                    draft.credential = ending.isOfKey ? .key("k1", mark: mark) : .login("l1")
                    _ = try transaction.setDeskDevice(draft)
                }
            }
            #expect(late == .unknownLogin)
        }
    }

    @Test func aDeviceThatIsRegisteredAnewBelongsToTheNewLogin() async throws {
        try await withStore { store in
            let start = TestEnvironment.start
            try await store.write { transaction in
                for id in ["l1", "l2"] {
                    try transaction.insert(sampleLogin(id, of: Login.operatorID, createdAt: start))
                    var draft = Self.draft("d", at: "a")
                    draft.credential = .login(id)
                    _ = try transaction.setDeskDevice(draft)
                }
                try transaction.removeLogin("l1")
            }
            #expect(try await store.read { try $0.deskDevices().map(\.credential) } == [.login("l2")])
        }
    }

    @Test func aClosedDeviceIsNotFoundAndMakesRoom() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for number in 1...TargetDraft.maximumDeskDevices {
                    _ = try transaction.setDeskDevice(Self.draft("d\(number)", at: "a\(number)"))
                }
            }
            #expect(
                await refusal { try await store.write { _ = try $0.setDeskDevice(Self.draft("more", at: "b")) } }
                    == .tooManyDevices)
            #expect(try await store.write { try !$0.setDeskDevice(Self.draft("more", at: "a7")).isNew })
            let closed = try #require(try await store.read { try $0.deskDevice("d7") })
            try await store.write {
                try $0.closeDevice(
                    closed.number, version: closed.version, reason: "gone", ClosedDevice(settings: Array("{}".utf8)))
            }
            #expect(try await store.read { try $0.devices(of: .webPush, at: "a7").isEmpty })
            #expect(
                try await store.read { try $0.activeDevices(of: .desk).count } == TargetDraft.maximumDeskDevices - 1)
            #expect(try await store.write { try $0.setDeskDevice(Self.draft("more", at: "b")).isNew })
            #expect(try await store.read { try $0.deskDevice("d7") } == nil)
        }
    }

    @Test func aWebhookIsNoDeviceOfTheDesk() async throws {
        try await withStore { store in
            try await store.write { _ = try $0.insert(DeliveryRoom.draft("w1")) }
            #expect(try await store.read { try $0.deskDevice("w1") } == nil)
            #expect(try await store.read { try $0.deskDevices().isEmpty && $0.audiencesWithDevices().isEmpty })
        }
    }

    /// A round looks at some devices and names those with pushes that are too old or too many.
    @Test func oldPushesAreFoundDeviceByDevice() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            let devices = try await store.write { transaction in
                try (1...3).map { try transaction.setDeskDevice(Self.draft("d\($0)", at: "a\($0)")).device.number }
            }
            try await room.send("m1")
            let event = try #require(
                try await store.replay([.desk], after: store.feed.floor, limit: 1 << 20).events.last {
                    $0.type == .messageCreated
                })
            let taken = try await store.write { [now = environment.now] in
                try $0.takePushes(
                    [devices[0], devices[2]].map { PushDraft(device: $0, event: event) }, through: 1, nextAt: now)
            }
            #expect(taken.count == 2)
            try await store.write {
                for one in taken.flatMap(\.deliveries) { try $0.dropPush(one.number, reason: "read") }
            }
            func round(after number: Int64, limit: Int64 = 256) async throws -> DeviceRound {
                try await store.read { [now = environment.now] in
                    try $0.devicesToTidy(after: number, limit: limit, at: now)
                }
            }
            #expect(try await round(after: 0).devices.isEmpty)
            environment.advance(milliseconds: WriteTransaction.doneLifetimeInMilliseconds + 1)
            let first = try await round(after: 0, limit: 2)
            #expect(first.devices == [devices[0]] && first.next == devices[1])
            let second = try await round(after: first.next, limit: 2)
            #expect(second.devices == [devices[2]] && second.next == 0)
            _ = try await store.write { try $0.tidyDeliveries(of: devices[0]) }
            #expect(try await round(after: 0).devices == [devices[2]])
        }
    }
}
