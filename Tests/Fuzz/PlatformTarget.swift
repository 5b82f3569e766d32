import Chat
import ChatModel
import ChatStore
import CXoneService
import CXoneWire
import Foundation
import MicroHTTP
import Synchronization
import TestSupport
import WireSupport

extension Target {
    /// What a platform says to the adapter, one frame a line, to a session that has a thread `t1` with a message `m1`.
    /// The first byte says whether the lines come as pushes, or instead of the platform's answers to a request, or as
    /// bodies of its HTTP.
    ///
    /// `$E` stands for the id of the request that waits for an answer.
    static let platform = Target("platform") { bytes in
        guard let (way, rest) = bytes.choose(PlatformScene.Way.allCases) else { return }
        let lines = rest.split(separator: UInt8(ascii: "\n")).prefix(16).map { Array($0) }
        try wait {
            let scene = try await world.content()
            do {
                try await scene.check(way, lines)
            } catch {
                await world.renew()
                throw error
            }
            if !scene.isWhole { await world.renew() }
        }
    }

    private static let world = World<PlatformScene>(
        limit: 300, make: { try await PlatformScene(folder: $0) }, end: { await $0.end() })
}

/// A gateway with one session at a platform, which is a sandbox unless the input speaks in its place.
private struct PlatformScene: Sendable {
    enum Way: CaseIterable { case push, recovery, older, send, list, configuration, token, availability }

    private let far: SandboxScene
    private let store: ChatStore
    private let service: CXoneService
    private let sessions: Sessions
    private let wire: TappedWire
    private let client: ChatClient
    private let clock = ManualClock()

    init(folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder + "/far", withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: folder + "/near", withIntermediateDirectories: false)
        far = try await SandboxScene(folder: folder + "/far")
        store = try ChatStore.open(folder: folder + "/near", environment: TestEnvironment().environment)
        let memory = MemoryWire(to: far.sandbox)
        let wire = TappedWire(memory)
        self.wire = wire
        service = CXoneService(
            store: store, clock: clock, tokens: .folder(folder + "/cxone"), sockets: wire, http: wire,
            foreignHTTP: wire,
            notice: { wire.notice($0) })
        sessions = Sessions(store: store, services: [service], clock: clock, pace: .zero)
        let channel = try await service.channel(at: try memory.address(of: "multi"))
        client = try await sessions.create(
            service: CXoneService.serviceID, channel: channel, customer: CustomerDraft(id: "c1"), connect: true,
            receipt: nil)
        _ = try await client.createThread(ThreadDraft(id: "t1", name: "First"), receipt: nil)
        _ = try await client.send(MessageDraft(id: "m1", text: "hello"), to: "t1", receipt: nil)
    }

    var isWhole: Bool { client.state == .ready && wire.isOpen }

    func end() async {
        for client in sessions.all { try? await client.disconnect() }
        await store.close()
        await far.end()
    }

    func check(_ way: Way, _ lines: [[UInt8]]) async throws {
        let (client, service) = (client, service), channel = client.channel.id
        switch way {
        case .push:
            for line in lines { wire.say(line) }
            await wire.flush()
        case .recovery:
            try await answering("RecoverThread", "LoadThreadMetadata", with: lines) {
                _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            }
        case .older:
            try await answering("LoadMoreMessages", with: lines) {
                _ = try await client.history(of: "t1", replies: .all, page: PageRequest(limit: 200, cursor: nil))
            }
        case .send:
            try await answering("SendMessage", with: lines) {
                _ = try await client.send(MessageDraft(text: "x"), to: "t1", receipt: nil)
            }
        case .list:
            try await answering("FetchThreadList", with: lines) {
                try await client.disconnect()
                try await client.connect()
            }
        case .configuration:
            try await asking("/channel/", lines) { _ = try await service.channel(channel) }
        case .token:
            try await asking("/oauth/token", lines) {
                try await client.disconnect()
                try await client.connect()
            }
        case .availability:
            try await asking("/availability", lines) { _ = try await client.connect() }
        }
        // What the store took can be read, and is within the limits.
        let page = try await client.threads(ThreadQuery(visibility: .all), page: PageRequest(limit: 200, cursor: nil))
        try Limits.check(page.body + [UInt8(ascii: "}")])
    }

    private func answering(
        _ types: String..., with lines: [[UInt8]], _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        wire.answer(Set(types), with: lines)
        try await finish(work)
        wire.answer([], with: [])
    }

    private func asking(
        _ part: String, _ lines: [[UInt8]], _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        wire.body(lines.first, at: part)
        try await finish(work)
        wire.body(nil, at: "")
    }

    /// Lets time pass until the work has come to an end: whatever the platform says, it does in bounded time.
    private func finish(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let done = Flag()
        Task {
            try? await work()
            done.raise()
        }
        let patience = ContinuousClock.now + .seconds(8)
        while ContinuousClock.now < patience {
            // The way of an answer: through one store and the wire to the other store, and back.
            for _ in 0..<4 {
                await wire.flush()
                for store in [store, far.store] {
                    try? await store.write { _ in }
                    try? await store.read { _ in }
                }
                if done.isRaised { return }
            }
            clock.advance(by: .seconds(5))
        }
        throw BrokenRule(description: "what waits for the platform does not end")
    }
}
