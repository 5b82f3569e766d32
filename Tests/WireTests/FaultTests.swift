import CXoneSandbox
import Chat
import ChatModel
import ChatStore
import Formats
import Foundation
import SandboxKit
import TestSupport
import Testing
import WireSupport

/// Ten minutes in which the network and the platform do whatever can go wrong, to customers of all three modes at once:
/// nothing is lost, nothing doubled, nobody hangs, and nothing is left of it.
@Suite struct FaultTests {
    private static var minutes: Int { ProcessInfo.processInfo.environment["PARLEY_MINUTES"].flatMap(Int.init) ?? 10 }

    @Test func whateverGoesWrongNothingIsLost() async throws {
        let seed = ProcessInfo.processInfo.environment["PARLEY_SEED"].flatMap(UInt64.init) ?? 1
        try await WireWorld.run { world in
            let customers = [
                try await FaultyCustomer(world, "multi", .anonymous),
                try await FaultyCustomer(world, "single", .secured),
                try await FaultyCustomer(world, "live", .secured),
            ]
            var chance = Chance(seed: seed)
            // Whatever the connecting has begun is over, the watches of its requests too.
            for _ in 0..<30 { await world.pass(second: 0) }
            let before = world.remains
            for second in 1...60 * Self.minutes {
                for customer in customers { try await customer.act(second, &chance) }
                if chance.happens(onceIn: 3) { _ = world.sandbox.faults.add(chance.fault(second)) }
                if chance.happens(onceIn: 90) {
                    world.wire.setDown(true)
                } else if chance.happens(onceIn: 8) {
                    world.wire.setDown(false)
                }
                await world.pass(second: second)
                for customer in customers { try await customer.look(second) }
            }

            // Everything is well again. What was held back comes with the next connection.
            world.sandbox.faults.removeAll()
            world.wire.setDown(false)
            world.wire.drop()
            var second = 60 * Self.minutes
            while second < 60 * Self.minutes + 300 {
                second += 1
                await world.pass(second: second)
                var isDone = true
                for customer in customers {
                    try await customer.look(second)
                    if try !customer.differences.isEmpty { isDone = false }
                }
                if isDone { break }
            }
            for customer in customers { try customer.check() }
            for _ in 0..<30 { await world.pass(second: second) }
            #expect(world.remains == before, "connections, sessions, sleeping tasks, subscriptions")
            #expect(world.wire.openedCount > 30, "only \(world.wire.openedCount) sockets were opened")
        }
    }
}

extension WireWorld {
    fileprivate func pass(second: Int) async {
        pass(.seconds(1))
        await settle()
    }
}

/// What happens next; the same for the same seed.
private struct Chance {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    mutating func one<T>(of choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &generator)] }

    mutating func fault(_ second: Int) -> Fault {
        // The platform does not lie about what it has: its errors are of other kinds.
        Fault(
            id: "f\(second)", kind: one(of: Sandbox.faultKinds),
            event: one(of: [nil, "SendMessage", "LoadMoreMessages", "MessageCreated"]), count: one(of: [1, 2, 3]),
            milliseconds: one(of: [1, 500, 4_000, 15_000]),
            errorCode: one(of: ["InconsistentData", "InternalServerError", "SendingMessageFailed"]))
    }
}

/// One customer and one agent, who write to each other.
private final class FaultyCustomer {
    private static let agent = Agent(id: "a1", name: "Bob Bell")
    /// How long a request may take: to wait for a connection, for an answer, and to ask what became of it.
    private static let patience = 60

    let world: WireWorld
    let channel: String
    let client: ChatClient
    private let told: EventRecorder
    private var threads: [String]
    private var count = 0
    private var sent: [(text: String, second: Int)] = []
    private var answers: [String] = []
    /// What came back of the customer's own, and whether it was taken.
    private let outcomes = Journal<(text: String, isTaken: Bool)>()

    init(_ world: WireWorld, _ channel: String, _ authorization: SandboxAuthorization) async throws {
        (self.world, self.channel) = (world, channel)
        told = EventRecorder(world.store.feed)
        client = try await world.session(on: channel, authorization, policy: .automatic(attempts: 50))
        let account = client.account
        if let known = try await world.store.read({ try $0.openThreads(of: account, limit: 1) }).first {
            threads = [known.thread.id]
        } else {
            threads = [try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)]
        }
    }

    /// Whatever it asks for is under way when this returns.
    func act(_ second: Int, _ chance: inout Chance) async throws {
        let client = client, outcomes = outcomes
        if chance.happens(onceIn: 6) {
            count += 1
            let text = "\(channel) c\(count)", thread = chance.one(of: threads)
            sent.append((text, second))
            Task.immediate {
                let outcome = try? await client.send(MessageDraft(text: text), to: thread, receipt: nil)
                outcomes.add((text, outcome != nil))
            }
        }
        if chance.happens(onceIn: 5) {
            count += 1
            let text = "\(channel) a\(count)"
            let thread = DeskThread(id: chance.one(of: threads), channel: channel)
            // Before its first message has arrived the desk does not know a thread.
            let known = try? await world.desk.thread(thread)
            if known != nil {
                _ = try await world.desk.send(MessageDraft(text: text), as: Self.agent, to: thread, receipt: nil)
                answers.append(text)
            }
        }
        if channel == "multi", chance.happens(onceIn: 60) {
            let id = "t\(second)"
            threads.append(id)
            Task.immediate {
                _ = try? await client.createThread(ThreadDraft(id: id, name: "Thread \(id)"), receipt: nil)
            }
        }
        // Whoever gave up is asked to try again, as a user would.
        if client.state == .prepared { Task.immediate { try? await client.connect() } }
    }

    /// The state that `GET session` shows is the one that streams were told last, and nobody waits for too long.
    func look(_ second: Int) async throws {
        let (client, told) = (client, told)
        let agree = try await eventually {
            let last = told.events.last { $0.type == .chatUpdated && $0.audiences == [.session(client.id)] }
            return try last.flatMap { try JSONParser.parse($0.data)["state"]?.string } == client.state.rawValue
        }
        #expect(agree, "in second \(second) the state is \(client.state), and streams were told another one")
        let done = Set(outcomes.entries.map(\.text))
        let late = sent.filter { !done.contains($0.text) && second - $0.second > Self.patience }
        try #require(late.isEmpty, "no answer to \(late) in second \(second), \(client.state)")
        if client.state == .prepared { Task.immediate { try? await client.connect() } }
    }

    /// What is not the same on both sides yet.
    var differences: [String] {
        get throws {
            guard client.state == .ready, outcomes.entries.count == sent.count else {
                return ["\(channel): \(client.state)"]
            }
            let outgoing = try world.store.readBlocking { [number = client.account] in
                try $0.outgoingMessages(of: number)
            }
            if !outgoing.isEmpty { return outgoing.map { "not sent: \($0.message.text ?? "")" } }
            let (near, far) = (
                try world.nearConversation(of: client), try world.farConversation(of: client, on: channel)
            )
            return near.lasting.differences(from: far.lasting)
        }
    }

    func check() throws {
        let differences = try differences
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        let taken = outcomes.entries.filter(\.isTaken).map(\.text),
            refused = outcomes.entries.filter { !$0.isTaken }.map(\.text)
        for (name, there) in [
            ("near", try world.nearConversation(of: client)),
            ("far", try world.farConversation(of: client, on: channel)),
        ] {
            let texts = there.messages.values.joined().map(\.text)
            let doubled = texts.filter { text in texts.count { $0 == text } > 1 }
            #expect(doubled == [], "twice at the \(name) side")
            let lost = Set(taken + answers).subtracting(texts).sorted()
            #expect(lost == [], "\(lost.count) lost at the \(name) side")
            let unwanted = Set(refused).intersection(texts).sorted()
            #expect(unwanted == [], "refused, and there at the \(name) side")
        }
        #expect(taken.count > sent.count / 2, "\(taken.count) of \(sent.count) were taken")
    }
}
