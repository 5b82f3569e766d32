import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport

/// A shop's day by the injected clock: customers ask, bots and agents answer, and all who answer look at the same list at the
/// same moment and act at once.
///
/// What they do is drawn from a seed; who of several is first is not.
final class TeamDay {
    static let minutes = 720
    /// Who works when, in minutes of the day.
    private static let shifts = (0..<8).map { number in
        (
            agent: Agent(id: "agent\(number)", name: "Agent \(number)"), from: number * 20,
            until: number < 2 ? 480 : Int.max
        )
    }
    private static let bots = (0..<3).map { Agent(id: "bot\($0)", name: "Bot \($0)", isBot: true) }

    private struct Customer {
        let person: Person
        let thread: String
        let channel: String
        var questions: Int
        var isAboutToAsk = true
    }

    private enum Plan { case ask(Int), rate(Int, contact: Int) }

    private let local: Local
    private let tags: [String]
    private var random: SeededGenerator
    private var customers: [Customer] = []
    private var places: [String: Int] = [:]
    private var plans: [Int: [Plan]] = [:]
    private var messages = 0
    private(set) var ledger = DayLedger()
    /// How often somebody was stopped because another one was first.
    private(set) var collisions: [ChatError.Code: Int] = [:]
    private(set) var (snoozes, minutesPlayed) = (0, 0)

    init(_ local: Local, customers count: Int, seed: UInt64) async throws {
        self.local = local
        random = SeededGenerator(seed: seed)
        var settings = ChannelSettings()
        (settings.reopenDays, settings.rating) = (3, .numbers)
        for channel in ["multi", "single"] { _ = try await local.desk.update(channel: channel, settings) }
        var tags: [String] = []
        for name in ["Refund", "Delivery"] { tags.append(try await local.desk.addTag(name, .grey, receipt: nil).id) }
        self.tags = tags
        for number in 0..<count {
            let channel = number % 3 == 0 ? "single" : "multi"
            let person = try await local.person("customer\(number)", on: channel)
            let thread = "thread\(number)"
            customers.append(
                Customer(
                    person: person, thread: thread, channel: channel, questions: Int.random(in: 1...3, using: &random)))
            places[thread] = number
            plans[Int.random(in: 0..<Self.minutes, using: &random), default: []].append(.ask(number))
        }
    }

    /// Plays the day, and the evening until nobody waits any more.
    func play() async throws {
        for minute in 0..<2 * Self.minutes {
            minutesPlayed = minute + 1
            try await play(minute)
            local.environment.advance(milliseconds: 60_000)
            local.clock.advance(by: .seconds(60))
            guard minute >= Self.minutes, plans.isEmpty else { continue }
            let counts = try await local.desk.counts(of: nil, within: nil)
            if counts.waiting == 0, counts.snoozed == 0 { return }
        }
    }

    private func play(_ minute: Int) async throws {
        for plan in plans.removeValue(forKey: minute) ?? [] { try await carryOut(plan) }
        for shift in Self.shifts where shift.until == minute { try await goHome(shift.agent) }
        let waiting = try await waitingThreads()
        guard !waiting.isEmpty else { return }
        let staff = Self.shifts.filter { $0.from <= minute && minute < $0.until }.map(\.agent) + Self.bots
        var turns: [Turn] = []
        for agent in staff {
            // A bot takes what nobody has; a person has own conversations too.
            let possible = waiting.filter { $0.agent == nil || $0.agent == agent.id }.prefix(agent.isBot ? 6 : 12)
            guard let chosen = possible.randomElement(using: &random) else { continue }
            messages += 1
            turns.append(
                Turn(
                    desk: local.desk, agent: agent, thread: chosen, message: "answer\(messages)",
                    now: local.environment.now,
                    draw: Int.random(in: 0..<100, using: &random), tag: tags[Int.random(in: 0..<2, using: &random)]))
        }
        var deeds: [Turn.Deed] = []
        for wave in [turns.filter { !$0.readsLong }, turns.filter(\.readsLong)] {
            await withTaskGroup(of: [Turn.Deed].self) { group in
                for turn in wave { group.addTask { await turn.take() } }
                for await done in group { deeds += done }
            }
        }
        for deed in deeds.sorted(by: { $0.version < $1.version }) { note(deed, in: minute) }
    }

    /// A customer's act.
    private func carryOut(_ plan: Plan) async throws {
        switch plan {
        case .ask(let number):
            let customer = customers[number]
            if ledger.lines[customer.thread] == nil { try await customer.person.create(customer.thread) }
            messages += 1
            let id = "question\(messages)"
            let sent = try await customer.person.send(id, to: customer.thread)
            let version = sent.version ?? 0
            ledger.asked(
                customer.thread, on: customer.channel,
                DayLedger.Line(id: id, author: nil, isBot: false, version: version, seen: version),
                at: try Turn.time(of: sent))
            customers[number].questions -= 1
            customers[number].isAboutToAsk = false
        case .rate(let number, let contact):
            let customer = customers[number]
            // Who has written again meanwhile is in a contact that is open.
            guard let contacts = ledger.contacts[customer.thread], contacts.count == contact else { return }
            let score = Int.random(in: 1...5, using: &random)
            _ = try await customer.person.connection.rate(customer.thread, score, comment: nil)
            ledger.rated(customer.thread, score)
        }
    }

    /// Gives all that an agent has to whoever comes first.
    private func goHome(_ agent: Agent) async throws {
        let query = ThreadQuery(state: .open, desk: DeskConditions(agent: agent.id))
        while case let page = try await local.desk.threads(query, page: PageRequest(limit: 200, cursor: nil)),
            case let threads = try items(page), !threads.isEmpty
        {
            for thread in threads {
                guard let id = thread["id"]?.string else { continue }
                _ = try await local.desk.release(DeskThread(id: id), as: agent, if: .mine, receipt: nil)
            }
        }
    }

    private func waitingThreads() async throws -> [Turn.Waiting] {
        let conditions = DeskConditions(isWaiting: true, snoozed: .exclude, order: .waiting)
        let page = try await local.desk.threads(
            ThreadQuery(state: .open, desk: conditions), page: PageRequest(limit: 60, cursor: nil))
        return try items(page).compactMap { json in
            guard let id = json["id"]?.string, let latest = json[path: "lastMessage", "id"]?.string else { return nil }
            let seen = ledger.lines[id]?.first { $0.id == latest }
            return seen.map {
                Turn.Waiting(id: id, agent: json[path: "agent", "id"]?.string, latest: latest, seen: $0.version)
            }
        }
    }

    private func note(_ deed: Turn.Deed, in minute: Int) {
        guard let number = places[deed.thread] else { return }
        switch deed.kind {
        case .said(let line, let time):
            ledger.answered(deed.thread, line, at: time)
            if customers[number].questions > 0, !customers[number].isAboutToAsk {
                customers[number].isAboutToAsk = true
                plans[minute + Int.random(in: 1...40, using: &random), default: []].append(.ask(number))
            }
        case .closed:
            ledger.closed(deed.thread, by: deed.agent, at: local.environment.now)
            guard Int.random(in: 0..<10, using: &random) < 3 else { return }
            let contact = ledger.contacts[deed.thread]?.count ?? 0
            plans[minute + 1, default: []].append(.rate(number, contact: contact))
        case .tagged(let tag): ledger.tagged(deed.thread, tag)
        case .snoozed: snoozes += 1
        case .refused(let code): collisions[code, default: 0] += 1
        }
    }
}
