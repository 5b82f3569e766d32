import Chat
import ChatModel
import ChatStore
@testable import CXoneService
import CXoneWire
import Formats
import HTTPClientPort
import NIOCore
import Synchronization
import TestSupport
import Testing

/// Each operation of the adapter over HTTP against each fault of a platform, over real sockets: it ends within its
/// limit, and leaves no connection behind.
@Suite(.timeLimit(.minutes(5))) struct FaultyPlatformTests {
    private struct Operation: Sendable {
        var name: String
        /// Of the clock, not of the wall.
        var limit = PlatformHTTP.patience
        /// How many sleep while it waits.
        var alarmCount = 1
        var run: @Sendable (PlatformHTTP, PlatformAddress) async throws(ChatError) -> Void
    }

    private static let channel = Channel(id: "c", name: "c", mode: .multithread, capabilities: [])

    private static let operations: [Operation] = [
        Operation(name: "configuration") { (http, address) throws(ChatError) in
            _ = try await http.configuration(address)
        },
        Operation(name: "availability") { (http, address) throws(ChatError) in _ = try await http.isOnline(address) },
        Operation(name: "visitor") { (http, address) throws(ChatError) in
            try await http.put(WireVisitor(customer: WireCustomer(id: "eva"), fingerprint: .parley), "v", address)
        },
        Operation(name: "analytics") { (http, address) throws(ChatError) in
            let event = AnalyticsEvent(
                id: "e", visitID: "v", destinationID: "d", createdAt: Timestamp(milliseconds: 0), action: .visitorVisit)
            try await http.reportAnalytics(event, "v", address)
        },
        Operation(name: "token") { (http, address) throws(ChatError) in
            _ = try await http.token(.anonymous(WireCustomer(id: "eva")), for: "v", address)
        },
        Operation(name: "upload") { (http, address) throws(ChatError) in
            let file = AttachmentUpload(
                content: Array(repeating: 7, count: 1000), fileName: "a.txt", mimeType: "text/plain")
            _ = try await http.upload(file, channel: channel, address)
        },
        Operation(name: "large event") { (http, address) throws(ChatError) in
            _ = try await http.largeEvent(at: address.channelURL + "/event", of: address)
        },
        Operation(name: "file", limit: SteadyDownload.piecePatience * 2, alarmCount: 2) {
            (http, address) throws(ChatError) in
            try await http.file(at: address.channelURL + "/file", of: address, limit: 1 << 20) { _ in }
        },
    ]

    /// A connection over which an answer came is kept for the next call.
    private static let answers: Set<FaultyServer.Fault> = [.redirect, .failure]

    /// What ends by itself in no way.
    private static let silences: Set<FaultyServer.Fault> = [.hung, .drippingHead, .drippingBody]

    /// What of all this is no failure: the answer to the visitor and to analytics is not looked at.
    private static func mayPass(_ operation: Operation, _ fault: FaultyServer.Fault) -> Bool {
        ["visitor", "analytics"].contains(operation.name) && answers.contains(fault)
    }

    @Test("Every operation ends in time, whatever the platform does", arguments: FaultyServer.Fault.allCases)
    func everyOperationEnds(_ fault: FaultyServer.Fault) async throws {
        for operation in Self.operations {
            let server = try await FaultyServer(fault)
            let clock = ManualClock(),
                http = PlatformHTTP(port: AsyncHTTPPort(), foreignPort: AsyncHTTPPort(), clock: clock)
            let address = try PlatformAddress(
                ChannelAddress(
                    environment: nil,
                    urls: [
                        "chat": "http://127.0.0.1:\(server.port)/chat", "socket": "ws://127.0.0.1:\(server.port)",
                        "token": "http://127.0.0.1:\(server.port)",
                    ],
                    brandID: 4711, channelID: "chat_1"))
            let isOver = Flag()
            let result = Task {
                defer { isOver.raise() }
                do throws(ChatError) {
                    try await operation.run(http, address)
                    return ChatError?.none
                } catch {
                    return error
                }
            }
            let passed =
                Self.silences.contains(fault)
                ? await Self.outlast(server, operation, clock, isOver) : await Self.passPauses(clock, isOver)
            #expect(passed <= operation.limit, "\(operation.name), \(fault)")
            let error = await result.value
            #expect(
                (error == nil) == Self.mayPass(operation, fault),
                "\(operation.name), \(fault): \(String(describing: error))")
            if fault == .redirect { #expect(server.requestCount == 1, "\(operation.name) follows no redirect") }
            #expect(await eventually { clock.sleeperCount == 0 }, "\(operation.name), \(fault) leaves no task behind")
            if !Self.answers.contains(fault) {
                #expect(
                    await eventually { server.openCount == 0 },
                    "\(operation.name), \(fault) leaves no connection behind")
            }
            await server.stop()
        }
    }

    /// Lets the time pass from one waking to the next, while the platform has a request and does not come to an end with
    /// its answer. Returns how much has passed until the operation has given up.
    private static func outlast(
        _ server: FaultyServer, _ operation: Operation, _ clock: ManualClock, _ isOver: Flag
    ) async -> Duration {
        var passed = Duration.zero
        #expect(await eventually { server.requestCount == 1 })
        // Who was woken gives up, or sleeps again.
        while await eventually({ isOver.isRaised || clock.sleeperCount == operation.alarmCount }),
            let next = clock.nextWaking
        {
            clock.advance(by: next)
            passed += next
        }
        return passed
    }

    /// Lets the pauses between the tries of an operation pass that no answer comes to. Returns how much has passed.
    private static func passPauses(_ clock: ManualClock, _ isOver: Flag) async -> Duration {
        var passed = Duration.zero
        for pause in [1, 2, 4].map(Duration.seconds) {
            guard await eventually({ isOver.isRaised || clock.nextWaking == pause }), !isOver.isRaised else { break }
            clock.advance(by: pause)
            passed += pause
        }
        return passed
    }

    @Test("A refused connection is tried again by nobody but the adapter: four times")
    func aRefusedConnectionIsTriedFourTimes() async throws {
        let server = try await FaultyServer(.closed), clock = ManualClock()
        let port = CountingPort(AsyncHTTPPort())
        let http = PlatformHTTP(port: port, foreignPort: port, clock: clock)
        let address = try PlatformAddress(
            ChannelAddress(
                environment: nil, urls: ["chat": "http://127.0.0.1:\(server.port)/chat", "socket": "ws://127.0.0.1:1"],
                brandID: 1, channelID: "c"))
        async let code = refusal { try await http.configuration(address) }
        for delay in [1, 2, 4] {
            #expect(await eventually { clock.nextWaking == .seconds(delay) })
            clock.advance(by: .seconds(delay))
        }
        #expect(await code == .serverError)
        #expect(port.count.load(ordering: .relaxed) == 4)
        #expect(server.openedCount == 4)
        await server.stop()
    }

    @Test(arguments: FaultyServer.Fault.allCases)
    func aSocketThatDoesNotOpenIsGivenUpInTime(_ fault: FaultyServer.Fault) async throws {
        let server = try await FaultyServer(fault)
        let sockets = NIOSocketPort(judge: { $0.addresses }, patience: .milliseconds(300))
        let start = ContinuousClock.now
        await #expect(throws: (any Error).self) { _ = try await sockets.open("ws://127.0.0.1:\(server.port)/") }
        #expect(ContinuousClock.now - start < .seconds(60), "far below what any other limit would allow")
        #expect(await eventually { server.openCount == 0 })
        await server.stop()
    }

    @Test("A platform that does not know brand or channel says so plainly", arguments: [404, 400, 403])
    func anUnknownChannelIsToldAsSuch(_ status: Int) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.http("/channel/") { _ in
                HTTPAnswer(status: status, body: Array(#"{"error":{"errorCode":"X","errorMessage":"no"}}"#.utf8))
            }
            let channel = try await cxone.service.channel(at: Fixture.address)
            do throws(ChatError) {
                _ = try await cxone.service.channel(channel)
                Issue.record("an error was expected")
            } catch {
                #expect(error.code == .unknownChannel)
                #expect(error.detail.contains("4711") && error.detail.contains("chat_1"))
            }
            let stored = try await cxone.store.read { try $0.remoteChannels(of: "cxone").count }
            #expect(stored == 0, "nothing of it is kept")
        }
    }

    @Test("A refused question for availability is no end", arguments: [400, 403, 404, 410, 422, 500])
    func aRefusedAvailabilityIsNotFinal(_ status: Int) async throws {
        try await withCXone(.liveChat) { cxone in
            let http = PlatformHTTP(port: cxone.platform, foreignPort: cxone.platform, clock: cxone.clock)
            let address = try PlatformAddress(Fixture.address)
            cxone.platform.http("/availability") { _ in HTTPAnswer(status: status) }
            #expect(await refusal { try await http.isOnline(address) } == .channelConfigFailure)
            #expect(!ChatError(.channelConfigFailure, "").isFinal)
        }
    }

    @Test("A channel that the platform knew before is asked for again: it may be back any time")
    func aKnownChannelIsNotGivenUp() async throws {
        try await withCXone(.multithread) { cxone in
            let channel = try await cxone.service.channel(at: Fixture.address)
            _ = try await cxone.service.channel(channel)
            cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 404) }
            #expect(await refusal { try await cxone.service.channel(channel) } == .channelConfigFailure)
        }
    }
}

private final class CountingPort: HTTPPort {
    private let port: any HTTPPort
    let count = Atomic<Int>(0)

    init(_ port: any HTTPPort) { self.port = port }

    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        count.add(1, ordering: .relaxed)
        return try await port.send(request, limit: limit)
    }
}
