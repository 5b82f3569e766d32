import Chat
import ChatModel
import ChatStore
import CXoneService
import CXoneWire
import Formats
import HTTPClientPort
import TestSupport
import Testing

/// An app's device, as the platform is told of it: it pushes, and not Parley.
@Suite struct DeviceTests {
    private static let phone = PlatformDevice(token: "0a1b", os: "iOS", osVersion: "18.1")

    /// What the visitor PUTs told of the device, oldest first.
    private func told(_ cxone: Fixture) throws -> [DeviceToken?] {
        try cxone.platform.calls("/visitors/").filter { $0.method == "PUT" }
            .map { try WireVisitor(json: $0.body ?? []).fingerprint?.deviceToken }
    }

    private func sent(_ cxone: Fixture) -> [DeviceFingerprint] {
        cxone.platform.requests("SendMessage").compactMap {
            if case .sendMessage(let message) = $0.event { message.fingerprint } else { nil }
        }
    }

    /// Registers a session's device, or removes it, and has the platform told.
    private func set(_ device: PlatformDevice?, of client: ChatClient, _ cxone: Fixture) async throws {
        let (id, account) = (client.id, client.account)
        try await cxone.store.write { transaction in
            if let device {
                try transaction.setDevice(
                    TargetDraft(
                        id: "d-\(id)", kind: .platform, audience: .account(account), session: id,
                        settings: device.canonicalJSON,
                        address: device.token))
            } else if let known = try transaction.device(of: id, account: account) {
                try transaction.deleteTarget(known.id)
            }
        }
        await cxone.sessions.tellDevice(of: account)
    }

    @Test("6.1: the visitor's PUT tells the token when it changes, and null when it is gone")
    func theVisitorTellsTheToken() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            #expect(try told(cxone) == [nil])
            try await set(Self.phone, of: client, cxone)
            try await set(Self.phone, of: client, cxone)
            #expect(try told(cxone) == [nil, .token("0a1b")])
            try await set(PlatformDevice(token: "ff", os: nil, osVersion: nil), of: client, cxone)
            try await set(nil, of: client, cxone)
            try await set(nil, of: client, cxone)
            #expect(try told(cxone) == [nil, .token("0a1b"), .token("ff"), .removed])
            let bodies = cxone.platform.calls("/visitors/").compactMap(\.body).map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(bodies.last?.contains(#""deviceToken":null"#) == true)
        }
    }

    @Test("6.1: each message tells the token, with the device's system") func messagesTellTheToken() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            let android = PlatformDevice(kind: .fcm, token: "f:1", os: nil, osVersion: nil)
            for device in [nil, Self.phone, PlatformDevice(token: "ff", os: nil, osVersion: nil), android, nil] {
                try await set(device, of: client, cxone)
                let count = sent(cxone).count
                _ = try await client.send(MessageDraft(id: "m\(count)", text: "hi"), to: "t1", receipt: nil)
                #expect(sent(cxone).count == count + 1)
            }
            let fingerprints = sent(cxone)
            #expect(fingerprints.map(\.deviceToken) == [nil, .token("0a1b"), .token("ff"), .token("f:1"), nil])
            #expect(fingerprints.map(\.os) == ["Linux", "iOS", "iOS", "Android", "Linux"])
            #expect(fingerprints.map(\.osVersion) == [nil, "18.1", nil, nil, nil])
        }
    }

    @Test func whatCouldNotBeToldIsToldWithMessagesAndTheNextConnection() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 503) }
            try await set(Self.phone, of: client, cxone)
            try await set(nil, of: client, cxone)
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 200) }
            try await set(Self.phone, of: client, cxone)
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 503) }
            try await set(nil, of: client, cxone)
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(sent(cxone).map(\.deviceToken) == [.removed])
            let before = try told(cxone).count
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 200) }
            cxone.platform.lose()
            await cxone.tryAgain(client)
            #expect(try await eventually { try self.told(cxone).count == before + 1 })
            #expect(try told(cxone).last == .removed)
        }
    }

    /// A PUT whose answer is lost, or a message, may have told the platform of the device all the same.
    @Test func aDeviceThatWasNeverConfirmedIsTakenAwayToo() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 503) }
            try await set(Self.phone, of: client, cxone)
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(sent(cxone).map(\.deviceToken) == [.token("0a1b")])
            cxone.platform.http("/visitors/") { _ in HTTPAnswer(status: 200) }
            try await set(nil, of: client, cxone)
            #expect(try told(cxone).last == .removed)
        }
    }

    @Test func aRestartTellsWhatIsThere() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            try await set(Self.phone, of: client, cxone)
            for expected in [DeviceToken.token("0a1b"), .removed, nil] {
                let service = CXoneService(
                    store: cxone.store, clock: cxone.clock, tokens: .folder(cxone.folder), sockets: cxone.platform,
                    http: cxone.platform, foreignHTTP: cxone.platform)
                let sessions = Sessions(store: cxone.store, services: [service], clock: cxone.clock, pace: .zero)
                try await sessions.load()
                await sessions.reconnect()
                #expect(sessions.all.map(\.state) == [.ready])
                #expect(try told(cxone).last == expected)
                // While the gateway is away.
                let (id, account) = (client.id, client.account)
                try await cxone.store.write { transaction in
                    if let known = try transaction.device(of: id, account: account) {
                        try transaction.deleteTarget(known.id)
                    }
                }
            }
        }
    }

    @Test func theDeviceRegisteredLastIsTheOneAndADeletedSessionTakesItsOwnAway() async throws {
        try await withCXone(.multithread) { cxone in
            let (one, other) = (try await cxone.session(), try await cxone.session())
            try await set(Self.phone, of: one, cxone)
            cxone.environment.advance(milliseconds: 1)
            try await set(PlatformDevice(token: "ff", os: "iOS", osVersion: nil), of: other, cxone)
            #expect(try told(cxone).last == .token("ff"))
            try await cxone.sessions.delete(other.id)
            #expect(try await eventually { try self.told(cxone).last == .token("0a1b") })
            try await cxone.sessions.delete(one.id)
            #expect(try await eventually { try self.told(cxone).last == .removed })
        }
    }
}
