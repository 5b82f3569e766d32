import Chat
import ChatModel
import ChatStore
import Formats
import Foundation
import LocalService
import TestSupport

/// A gateway's inside with the embedded service and a simulated remote one, whose one thread is not synchronized yet.
struct BenchScene {
    private static let thread = "t"
    /// As long as every message of the benchmarks: see harness/gateway.py.
    static let text =
        "The parcel has not come yet, although the page says that it was handed over on Tuesday. Can you look?"

    let store: ChatStore
    let sessions: Sessions
    private let customer: ChatClient
    private let messages: Int

    init(folder: String, messages: Int) async throws {
        self.messages = messages
        store = try ChatStore.open(folder: folder, environment: .bench)
        let platform = SimulatedPlatform(environment: .bench, threadLimit: 1) { count in
            // As long as a UUID, and all over the index as one is.
            let spread = String(UInt32(truncatingIfNeeded: count &* 2_654_435_761), radix: 16)
            let digits = String(count)
            return String(repeating: "0", count: 8 - spread.count) + spread + "-0000-4000-8000-"
                + String(repeating: "0", count: 12 - digits.count) + digits
        }
        platform.makeThread(Self.thread)
        platform.fill(Self.thread, count: messages) { _ in Self.text }
        let clock = ContinuousClock()
        sessions = Sessions(
            store: store,
            services: [
                try await LocalService(store: store), SimulatedService(platform: platform, store: store, clock: clock),
            ],
            clock: clock, pace: .zero)
        customer = try await sessions.create(
            service: "simulated", channel: "main", customer: CustomerDraft(id: "c1"), connect: false, receipt: nil)
    }

    /// Connects to the platform, which starts the synchronization.
    func connect() async throws { try await customer.connect() }

    /// Whether everything is there, from the oldest message to the newest.
    func isComplete() throws -> Bool { try chunk().map { $0.isOldest && $0.isOpen } ?? false }

    /// How many messages are there, by the stretch of time that is: they are one second apart.
    func synchronizedCount() throws -> Int {
        try chunk().map { $0.isOldest ? messages : Int(($0.high - $0.low) / 1000) + 1 } ?? 0
    }

    /// How many messages are there, counted one by one.
    func count() throws -> Int {
        var count = 0
        var cursor: String?
        repeat {
            let request = PageRequest(limit: 200, cursor: cursor)
            let page = try blocking { [customer] in
                try await customer.messages(of: Self.thread, replies: .all, page: request)
            }
            count += try JSONParser.parse(page.body + [UInt8(ascii: "}")])["items"]?.array?.count ?? 0
            cursor = page.next
        } while cursor != nil
        return count
    }

    private func chunk() throws -> Chunk? {
        let account = customer.account
        return try store.readBlocking { transaction in
            try transaction.thread(Self.thread, of: account).flatMap { try transaction.chunks(of: $0.number).last }
        }
    }
}

extension ModelEnvironment {
    static let bench = ModelEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        makeID: { UUID().uuidString.lowercased() },
        random: { Double.random(in: 0..<1) })
}
