import Chat
import ChatModel
import ChatStore
@testable import CXoneSandbox
import CXoneWire
import LocalService
import Logging
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// A sandbox on a store of its own, with its clients over sockets in memory.
struct Scene {
    static let agent = Agent(id: "4021", name: "Marta Novak")

    let store: ChatStore
    let environment: TestEnvironment
    let clock: ManualClock
    let service: LocalService
    let sandbox: Sandbox
    let devices: ListedDevices
    let logged: Journal<String>

    static func run(socketLimit: Int? = nil, _ body: (Scene) async throws -> Void) async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let clock = ManualClock(), logged = Journal<String>()
            let service = try await LocalService(store: store, clock: clock)
            var logger = Logger(label: "sandbox") { _ in JournalLog(journal: logged) }
            logger.logLevel = .trace
            let devices = ListedDevices()
            let sandbox = Sandbox(
                store: store, service: service, key: Array(repeating: 7, count: 32), clock: clock, logger: logger,
                devices: devices, socketLimit: socketLimit)
            let scene = Scene(
                store: store, environment: environment, clock: clock, service: service, sandbox: sandbox,
                devices: devices,
                logged: logged)
            do {
                try await body(scene)
            } catch {
                await sandbox.close()
                throw error
            }
            await sandbox.close()
        }
    }

    var desk: LocalDesk { service.desk }

    func face(_ channel: String, _ authorization: SandboxAuthorization = .anonymous) throws -> SandboxChannel {
        let all = try blocking { [sandbox] in try await sandbox.channels() }
        return try #require(all.first { $0.channel == channel && $0.authorization == authorization })
    }

    /// A client whose customer is known.
    func client(
        _ customer: String, on channel: String = "multi", _ platform: String = "ios", visitor: String = "v"
    ) async throws -> SceneClient {
        let client = try open(customer, on: channel, platform, visitor: visitor)
        _ = try await client.ask(.authorizeCustomer(AuthorizeCustomer(sdkPlatform: platform, sdkVersion: "3.3.1")))
        return client
    }

    /// A client that has said nothing yet.
    func open(
        _ customer: String, on channel: String = "multi", _ platform: String = "ios", visitor: String = "v"
    ) throws -> SceneClient {
        let client = try prepare(customer, on: channel, platform, visitor: visitor)
        sandbox.begin(client.session, on: client.socket)
        return client
    }

    /// A client whose session has not begun: what it sends waits.
    func prepare(
        _ customer: String, on channel: String = "multi", _ platform: String = "ios", visitor: String = "v"
    ) throws -> SceneClient {
        let face = try face(channel)
        let query = SocketQuery(
            brandID: sandbox.brandID, channelID: face.id, visitorID: visitor, sdkPlatform: platform, sdkVersion: "3.3.1"
        )
        let session = SandboxSession(
            number: sandbox.nextNumber(), sandbox: sandbox, face: face, query: query, customer: nil,
            base: "http://localhost:8787")
        return SceneClient(
            socket: MemorySocket(), session: session, customer: customer, brand: sandbox.brandID, channel: face.id)
    }
}

/// A socket whose other end the test holds.
final class MemorySocket: SandboxSocket {
    private struct State {
        var written: [[UInt8]] = []
        var sent: [[UInt8]] = []
        var flushCount = 0
        var closed: CloseCode?
        var isAborted = false
        var backlog = 0
        var handled = 0
    }
    private let state = Mutex(State())

    var sent: [[UInt8]] { state.withLock { $0.sent } }
    var closed: CloseCode? { state.withLock { $0.closed } }
    var isAborted: Bool { state.withLock { $0.isAborted } }
    var handledCount: Int { state.withLock { $0.handled } }
    /// As if the kernel took nothing.
    func setBacklog(_ count: Int) { state.withLock { $0.backlog = count } }

    var backlog: Int { state.withLock { $0.backlog } }
    /// How often texts were sent, one or more.
    var flushCount: Int { state.withLock { $0.flushCount } }
    func send(text: [UInt8]) { state.withLock { $0.written.append(text) } }
    func flush() {
        state.withLock { state in
            if !state.written.isEmpty { state.flushCount += 1 }
            state.sent += state.written
            state.written = []
        }
    }
    func ping() {}
    func close(_ code: CloseCode) { state.withLock { $0.closed = code } }
    func abort() { state.withLock { $0.isAborted = true } }
    func handled(_ byteCount: Int) { state.withLock { $0.handled += 1 } }
}

/// An app's end of a socket in memory.
final class SceneClient: Sendable {
    let socket: MemorySocket
    let session: SandboxSession
    let customer: String
    private let brand: Int
    private let channel: String
    private let count = Atomic<Int>(0)

    init(socket: MemorySocket, session: SandboxSession, customer: String, brand: Int, channel: String) {
        (self.socket, self.session, self.customer, self.brand, self.channel) = (
            socket, session, customer, brand, channel
        )
    }

    /// All frames that came.
    var frames: [ServerFrame] { socket.sent.compactMap { try? ServerFrame(json: $0) } }
    var pushes: [PushEvent] { frames.compactMap { if case .push(let push) = $0 { push.event } else { nil } } }
    var pushTypes: [String] { pushes.map(\.type) }

    func say(_ text: String) { session.inbox.put(.text(Array(text.utf8))) }

    func request(_ event: ClientEvent) -> ClientRequest {
        let number = count.add(1, ordering: .relaxed).newValue
        return ClientRequest(
            eventID: "e-\(session.number)-\(number)", brandID: brand, channelID: channel,
            customer: WireCustomer(id: customer),
            visitorID: "v", event: event)
    }

    /// Sends a request, and returns its answer.
    func ask(_ event: ClientEvent) async throws -> ServerFrame {
        let request = request(event)
        session.inbox.put(.text(ClientFrame.request(request).encoded()))
        return try await answer(to: request.eventID)
    }

    func answer(to id: String) async throws -> ServerFrame {
        try #require(await eventually { self.frames.contains { $0.eventID == id } })
        return try #require(frames.first { $0.eventID == id })
    }

    /// Waits for a push.
    func heard(_ type: String, count: Int = 1) async throws {
        try #require(await eventually { self.pushTypes.count { $0 == type } >= count })
    }

    func text(
        _ text: String, id: String, in thread: String, _ parameters: MessageParameters = .init(),
        postback: String? = nil
    ) -> ClientEvent {
        .sendMessage(
            SendMessage(
                thread: ThreadReference(id: thread),
                content: MessageContent(.text(text), parameters: parameters, postback: postback), id: id))
    }
}

extension ServerFrame {
    fileprivate var eventID: String? {
        switch self {
        case .answer(_, let id): id
        case .acknowledgement(let frame): frame.eventID
        case .error(let error): error.eventID
        default: nil
        }
    }

    var errorCode: ErrorCode? { if case .error(let error) = self { error.code } else { nil } }
    var isAcknowledged: Bool { if case .acknowledgement = self { true } else { false } }
}
