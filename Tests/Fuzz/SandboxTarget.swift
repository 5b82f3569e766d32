import Chat
import ChatModel
import ChatStore
import CXoneSandbox
import CXoneWire
import Dispatch
import LocalService
import Logging
import MicroHTTP
import Synchronization
import TestSupport

extension Target {
    /// The frames of one client of the sandbox, one a line. The first byte chooses the channel.
    ///
    /// `$B` and `$C` stand for brand and channel.
    static let sandbox = Target("sandbox") { bytes in
        guard let (channel, rest) = bytes.choose(["multi", "single", "live"]) else { return }
        let scene = try wait { try await world.content() }
        do {
            try scene.check(rest, on: channel)
        } catch {
            try wait { await world.renew() }
            throw error
        }
    }

    private static let world = World<SandboxScene>(
        limit: 300, make: { try await SandboxScene(folder: $0) }, end: { await $0.end() })
}

/// A sandbox and its store.
struct SandboxScene: Sendable {
    let store: ChatStore
    let service: LocalService
    let sandbox: Sandbox

    init(folder: String) async throws {
        store = try ChatStore.open(folder: folder, environment: TestEnvironment().environment)
        service = try await LocalService(store: store, clock: ManualClock())
        var logger = Logger(label: "fuzz")
        logger.logLevel = .critical
        sandbox = Sandbox(
            store: store, service: service, key: Array(repeating: 7, count: 32), clock: ManualClock(), logger: logger)
    }

    func end() async {
        await sandbox.close()
        await store.close()
    }

    fileprivate func check(_ bytes: [UInt8], on channel: String) throws {
        guard
            let face = try blocking({ [sandbox] in try await sandbox.channels() }).first(where: {
                $0.channel == channel && $0.authorization == .anonymous
            })
        else { return }
        let brand = "\(sandbox.brandID)"
        let query = SocketQuery(
            brandID: sandbox.brandID, channelID: face.id, visitorID: "v", sdkPlatform: "ios", sdkVersion: "3.3.1")
        let socket = HeardSocket()
        let request = HTTPRequest(method: "GET", target: "/?\(query.query)")
        guard let tell = blocking({ [sandbox] in await sandbox.open(request, over: socket) }) else { return }
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(32) {
            let frame = Array(line).text.replacing("$B", with: brand).replacing("$C", with: face.id)
            tell(.text(Array(frame.utf8)))
            try expect(socket.waitUntilHandled(), "a frame is not dealt with in 10 s")
            if socket.isClosed { break }
        }
        tell(.closed(.client))
        for frame in socket.sent {
            do throws(WireError) {
                _ = try ServerFrame(json: frame)
            } catch {
                throw BrokenRule(
                    description: "the sandbox sends what is no frame (\(error)): \(frame.text.prefix(400))")
            }
        }
        // What was taken is within the limits that REST has.
        let page = try blocking { [desk = service.desk] in
            try await desk.threads(
                ThreadQuery(state: .all, channel: nil), page: PageRequest(limit: 200, cursor: nil))
        }
        try Limits.check(page.body + [UInt8(ascii: "}")])
    }
}

/// A socket in memory whose other end is the target's.
private final class HeardSocket: SandboxSocket {
    private let state = Mutex<(sent: [[UInt8]], isClosed: Bool)>(([], false))
    private let dealtWith = DispatchSemaphore(value: 0)

    var sent: [[UInt8]] { state.withLock { $0.sent } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    func waitUntilHandled() -> Bool { dealtWith.wait(timeout: .now() + 10) == .success }

    var backlog: Int { 0 }
    func send(text: [UInt8]) { state.withLock { $0.sent.append(text) } }
    func flush() {}
    func ping() {}
    func close(_ code: CloseCode) { abort() }
    func abort() {
        state.withLock { $0.isClosed = true }
        dealtWith.signal()
    }
    func handled(_ byteCount: Int) { dealtWith.signal() }
}
