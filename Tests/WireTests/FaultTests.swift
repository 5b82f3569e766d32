import Chat
import ChatModel
import ChatStore
import CXoneSandbox
import Foundation
import TestSupport
import Testing
import WireSupport

/// Ten minutes in which the network and the platform do whatever can go wrong: nothing is lost, nothing doubled, nobody hangs.
@Suite(.serialized) struct FaultTests {
    private static var minutes: Int { ProcessInfo.processInfo.environment["PARLEY_MINUTES"].flatMap(Int.init) ?? 10 }

    @Test(arguments: [("multi", SandboxAuthorization.anonymous), ("single", .secured), ("live", .secured)])
    func whateverGoesWrong(channel: String, authorization: SandboxAuthorization) async throws {
        for seed in 1...UInt64(1) {
            try await WireWorld.run { world in
                let run = try await FaultRun(world, channel, authorization, seed)
                try await run.live(seconds: 60 * Self.minutes)
                try await run.end()
            }
        }
    }
}

/// One customer, one agent, and everything that goes wrong between them.
private final class FaultRun {
    private static let agent = Agent(id: "a1", name: "Bob Bell")
    private static let tick = Duration.seconds(1)
    /// How long a request may take: to wait for a connection, for an answer, and to ask what became of it.
    private static let patience = 60

    let world: WireWorld
    let channel: String
    let client: ChatClient
    let states: EventRecorder
    var generator: SeededGenerator
    var threads: [String] = []
    var second = 0
    var count = 0
    /// What each of the customer's messages came to: nil while nobody knows.
    let outcomes = Journal<(text: String, isTaken: Bool)>()
    var sent: [(text: String, at: Int)] = []
    var answers: [String] = []
    let sleepers: Int

    init(_ world: WireWorld, _ channel: String, _ authorization: SandboxAuthorization, _ seed: UInt64) async throws {
        (self.world, self.channel, generator) = (world, channel, SeededGenerator(seed: seed))
        states = EventRecorder(world.store.feed)
        client = try await world.session(on: channel, authorization, policy: .automatic(attempts: 50))
        let account = client.account
        if let known = try world.store.read({ try $0.openThreads(of: account, limit: 1) }).first {
            threads = [known.thread.id]
        } else {
            threads = [try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)]
        }
        await world.settle()
        sleepers = world.clock.sleeperCount
    }

    func live(seconds: Int) async throws {
        for _ in 0..<seconds {
            second += 1
            if chance(3) { try await write() }
            if chance(3) { try await answer() }
            if channel == "multi", chance(60) { try await thread() }
            if chance(4) { goWrong() }
            if chance(90) { world.wire.setDown(true) } else if chance(8) { world.wire.setDown(false) }
            await pass()
            // Whoever gave up is asked to try again, as a user would.
            if client.state == .prepared { Task { [client] in try? await client.connect() } }
            try await compareStates()
            try checkPatience()
        }
    }

    private func pass() async {
        world.pass(Self.tick)
        if trace { print("TRACE", channel, second, client.state, world.wire.openedCount, world.clock.sleeperCount, (try? states.events.last { $0.type == .error }.map { String(decoding: $0.data, as: UTF8.self) } ?? "") ?? "") }
        await world.settle()
    }

    private let trace = ProcessInfo.processInfo.environment["PARLEY_TRACE"] != nil

    private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    // MARK: What people do

    private func write() async throws {
        count += 1
        let text = "c\(count)", thread = threads.randomElement(using: &generator) ?? threads[0]
        sent.append((text, second))
        let (client, outcomes) = (client, outcomes)
        Task {
            do {
                _ = try await client.send(MessageDraft(text: text), to: thread, receipt: nil)
                outcomes.add((text, true))
            } catch {
                outcomes.add((text, false))
            }
        }
        await letOthersRun()
    }

    private func answer() async throws {
        count += 1
        let text = "a\(count)", thread = threads.randomElement(using: &generator) ?? threads[0]
        // Before its first message has arrived the desk does not know a thread.
        let known = try? world.desk.thread(DeskThread(id: thread))
        guard known != nil else { return }
        _ = try await world.desk.send(MessageDraft(text: text), as: Self.agent, to: DeskThread(id: thread), receipt: nil)
        answers.append(text)
    }

    private func thread() async throws {
        let client = client
        let id = "t\(second)"
        threads.append(id)
        Task { _ = try? await client.createThread(ThreadDraft(id: id, name: "Thread \(id)"), receipt: nil) }
        await letOthersRun()
    }

    private func goWrong() {
        let kind = Fault.Kind.allCases.randomElement(using: &generator) ?? .dropSocket
        // The platform does not lie about what it has: its errors are of other kinds.
        let codes = ["InconsistentData", "InternalServerError", "SendingMessageFailed", "RateLimited"]
        let events = [nil, "SendMessage", "LoadMoreMessages", "MessageCreated"]
        _ = world.sandbox.add(Fault(
            id: "f\(second)", kind: kind, event: events.randomElement(using: &generator) ?? nil,
            count: Int.random(in: 1...3, using: &generator), milliseconds: Int.random(in: 1...15_000, using: &generator),
            errorCode: codes.randomElement(using: &generator)))
    }

    // MARK: What must hold

    /// The last state that streams were told is the one that `GET session` shows.
    private func compareStates() async throws {
        let (client, states) = (client, states)
        let agree = try await eventually {
            let told = try states.events.last { $0.type == .chatUpdated }.flatMap { try JSONParser.parse($0.data)["state"]?.string }
            return told == client.snapshot.state.rawValue
        }
        #expect(agree, "in second \(second) the state is \(client.state), and streams were told another one")
    }

    private func checkPatience() throws {
        let done = Set(outcomes.entries.map(\.text))
        let late = sent.filter { !done.contains($0.text) && second - $0.at > Self.patience }
        try #require(late.isEmpty, "no answer to \(late) in second \(second), \(client.state)")
    }

    /// Everything is well again, and in the end everything is there, once, on either side.
    func end() async throws {
        world.sandbox.removeFaults()
        world.wire.setDown(false)
        // What was late when the faults ended comes with the next connection.
        world.wire.drop()
        let account = client.account
        var differences = ["nothing was compared"]
        for _ in 0..<200 {
            second += 1
            await pass()
            if client.state == .prepared { Task { [client] in try? await client.connect() } }
            guard client.state == .ready, outcomes.entries.count == sent.count else { continue }
            let outgoing = try world.store.read { try $0.outgoingMessages(of: account) }
            differences = outgoing.map { "not sent: \($0.message.text ?? "")" }
            let (near, far) = (try world.nearConversation(of: client), try world.farConversation(of: client, on: channel))
            differences += near.unread.differences(from: far.unread)
            if differences.isEmpty { break }
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        try checkTexts()
        try await checkRemains()
    }

    private func checkTexts() throws {
        let taken = outcomes.entries.filter(\.isTaken).map(\.text), refused = outcomes.entries.filter { !$0.isTaken }.map(\.text)
        #expect(outcomes.entries.count == sent.count, "no answer to \(Set(sent.map(\.text)).subtracting(outcomes.entries.map(\.text)))")
        for (name, there) in [
            ("near", try world.nearConversation(of: client)), ("far", try world.farConversation(of: client, on: channel)),
        ] {
            let texts = there.messages.values.joined().map(\.text)
            #expect(Set(texts).count == texts.count, "twice at the \(name) side: \(texts.filter { text in texts.count { $0 == text } > 1 })")
            let lost = Set(taken + answers).subtracting(texts)
            #expect(lost.isEmpty, "lost at the \(name) side: \(lost.count): \(lost.sorted().prefix(8))")
            let unwanted = Set(refused).intersection(texts)
            #expect(unwanted.isEmpty, "refused, and there at the \(name) side: \(unwanted.sorted())")
        }
        #expect(taken.count > sent.count / 2, "\(taken.count) of \(sent.count) were taken")
    }

    /// No request waits, no task sleeps, no session is left of all those connections.
    private func checkRemains() async throws {
        for _ in 0..<30 { await pass() }
        #expect(world.wire.openCount == 1)
        #expect(world.sandbox.sessionCount == 1)
        #expect(world.clock.sleeperCount == sleepers)
        #expect(world.sandbox.pendingFaults.isEmpty)
        #expect(world.wire.openedCount > 5, "only \(world.wire.openedCount) sockets were opened")
    }
}
