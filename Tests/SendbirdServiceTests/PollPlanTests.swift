@testable import SendbirdService
import Testing

/// When is polled for what.
@Suite struct PollPlanTests {
    /// Lets time pass; each round ends at once. Returns how many rounds of each poll there were.
    ///
    /// - Parameters:
    ///   - news: the polls that find something each time.
    ///   - isFollowed: whether somebody follows meanwhile.
    private func run(
        _ plan: inout PollPlan, from start: Duration, for time: Duration, gets: Int = 10,
        news: Set<PollPlan.Poll> = [], isFollowed: Bool = true
    ) -> [PollPlan.Poll: Int] {
        var rounds: [PollPlan.Poll: Int] = [:]
        if isFollowed { plan.followed(at: start) }
        while let next = plan.next, next <= start + time {
            if isFollowed { plan.followed(at: next) }
            for poll in plan.due(at: next) {
                rounds[poll, default: 0] += 1
                plan.ended(poll, foundNews: news.contains(poll), at: next, gets: gets, random: 0.5)
            }
        }
        return rounds
    }

    @Test func nobodyIsPolledForWithoutAnAccount() {
        var plan = PollPlan(gets: 10)
        plan.viewed("t", by: 1, at: .zero)
        #expect(plan.next == nil && plan.threadsInView == 0)
        plan.add(account: 1, at: .zero)
        plan.viewed("t", by: 1, at: .zero)
        #expect(plan.next == .seconds(2))
        plan.remove(account: 1)
        #expect(plan.next == nil)
    }

    /// A lost connection is no reason to look away: an edit would not be seen any more.
    @Test func whatIsInViewStaysSoOverALoss() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        plan.viewed("t", by: 1, at: .zero)
        plan.remove(account: 1)
        plan.add(account: 1, at: .seconds(10))
        #expect((run(&plan, from: .seconds(10), for: .seconds(20))[.focus("t")] ?? 0) >= 9)
        plan.remove(account: 1)
        plan.add(account: 1, at: .seconds(300))
        #expect(run(&plan, from: .seconds(300), for: .seconds(20))[.focus("t")] == nil && plan.threadsInView == 0)
    }

    @Test func aQuietApplicationIsAskedLessOften() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        #expect(run(&plan, from: .zero, for: .seconds(60))[.application] == 30)
        _ = run(&plan, from: .seconds(60), for: .seconds(120))
        #expect(run(&plan, from: .seconds(180), for: .seconds(600)) == [.application: 40, .account(1): 2])
    }

    /// News are not worth a quick look where nobody hears of them. Who comes back is told at once.
    @Test func whereNobodyFollows() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        plan.viewed("t", by: 1, at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(300), isFollowed: false)
        let news: Set<PollPlan.Poll> = [.application]
        #expect(
            run(&plan, from: .seconds(300), for: .seconds(1200), news: news, isFollowed: false)
                == [.application: 20, .account(1): 2])
        let isSooner = plan.followed(at: .seconds(1501))
        #expect(isSooner && plan.next == .seconds(1501))
        let isSoonerAgain = plan.followed(at: .seconds(1502))
        #expect(!isSoonerAgain)
        #expect(run(&plan, from: .seconds(1501), for: .seconds(120), isFollowed: false)[.application] ?? 0 >= 8)
        _ = run(&plan, from: .seconds(1621), for: .seconds(279), isFollowed: false)
        #expect(run(&plan, from: .seconds(1900), for: .seconds(300), isFollowed: false)[.application] ?? 0 <= 6)
    }

    @Test func newsMakeItQuickAgain() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(300))
        let start = plan.next!
        #expect(plan.due(at: start) == [.application])
        plan.ended(.application, foundNews: true, at: start, gets: 10, random: 0.5)
        #expect(plan.next == start + .seconds(2))
    }

    @Test func somebodyWhoActsIsNotKeptWaiting() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(301))
        plan.viewed("t", by: 1, at: .seconds(301))
        #expect(plan.next == .seconds(303))
        #expect(plan.due(at: .seconds(303)) == [.focus("t"), .application])
    }

    @Test func aThreadIsInViewForAWhile() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        plan.viewed("t", by: 1, at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(119))
        #expect(plan.threadsInView == 1)
        _ = run(&plan, from: .seconds(119), for: .seconds(20))
        #expect(plan.threadsInView == 0)
        for index in 0...PollPlan.views { plan.viewed("t\(index)", by: 1, at: .seconds(200 + index)) }
        #expect(plan.threadsInView == PollPlan.views)
    }

    /// Who looks at very many threads loses their own from view, and nobody else's.
    @Test func manyViewsOfOneAccount() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        plan.add(account: 2, at: .zero)
        plan.viewed("mine", by: 2, at: .zero)
        for index in 0..<(2 * PollPlan.views) { plan.viewed("\(index)", by: 1, at: .seconds(1)) }
        #expect(plan.threadsInView == PollPlan.views)
        #expect(plan.due(at: .seconds(100)).contains(.focus("mine")))
    }

    /// Where all have one in view, the one that was in view longest ago is forgotten.
    @Test func manyAccountsWithOneViewEach() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        for index in 0...PollPlan.views { plan.viewed("\(index)", by: Int64(index), at: .milliseconds(index)) }
        #expect(plan.threadsInView == PollPlan.views)
        let due = plan.due(at: .seconds(100))
        #expect(!due.contains(.focus("0")) && due.contains(.focus("\(PollPlan.views)")))
    }

    /// Webhooks of threads that nobody here has say nothing of those of others. One look at the list is for all of them.
    @Test func webhooksOfNobodysThreads() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(300))
        let lists = plan.listsIn(.seconds(300), to: .seconds(360)) { plan, now in
            for index in 0..<3 { _ = plan.heard(of: "other \(index)", at: now) }
        }
        #expect((10...61).contains(lists), "\(lists)")
    }

    /// While a poll runs it is not due again, however long it takes.
    @Test func oneRoundRunsAtATime() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        #expect(plan.due(at: .seconds(2)) == [.application])
        #expect(plan.due(at: .seconds(200)) == [])
        plan.ended(.application, foundNews: false, at: .seconds(200), gets: 10, random: 0.5)
        #expect(plan.due(at: .seconds(400)) == [.application, .account(1)])
    }

    /// The table of the article about Sendbird: what polling takes in a minute while all threads are in view and
    /// active, and while nobody does anything.
    @Test(arguments: [
        (threads: 0, gets: 10, active: 30, quiet: 4), (1, 10, 120, 4), (10, 10, 300, 4), (100, 10, 300, 4),
        (100, 600, 9030, 4),
    ])
    func whatPollingTakes(threads: Int, gets: Int, active: Int, quiet: Int) {
        var plan = PollPlan(gets: gets)
        plan.add(account: 1, at: .zero)
        let polls = Set((0..<threads).map { PollPlan.Poll.focus("\($0)") } + [.application])
        // A first minute, in which intervals get their length.
        var count = 0.0
        for minute in 0..<12 {
            for index in 0..<threads { plan.viewed("\(index)", by: 1, at: .seconds(60 * minute)) }
            let rounds = run(&plan, from: .seconds(60 * minute), for: .seconds(60), gets: gets, news: polls)
            if minute > 0 { count += rounds.reduce(0) { $0 + $1.key.gets * Double($1.value) } / 11 }
        }
        #expect(abs(count - Double(active)) <= Double(active) / 10, "\(count)")
        #expect(count <= Double(gets) * PollPlan.share * 60 * 1.05)
        _ = run(&plan, from: .seconds(720), for: .seconds(600), gets: gets)
        let rounds = run(&plan, from: .seconds(1320), for: .seconds(300), gets: gets)
        #expect(rounds[.application] == quiet * 5)
        _ = run(&plan, from: .seconds(1620), for: .seconds(300), gets: gets, isFollowed: false)
        let alone = run(&plan, from: .seconds(1920), for: .seconds(300), gets: gets, isFollowed: false)
        #expect(alone[.application] == 5)
        #expect(rounds.keys.allSatisfy { if case .focus = $0 { false } else { true } })
    }

    /// Webhooks bring the news while they come; one that was missed makes the polls quick again.
    @Test func pollsAreSlowWhereWebhooksCome() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        let polls: Set<PollPlan.Poll> = [.application]
        var rounds = 0
        for minute in 0..<5 {
            let start = Duration.seconds(60 * minute)
            for index in 0..<10 { plan.viewed("\(index)", by: 1, at: start) }
            _ = plan.heard(of: "0", at: start)
            let counts = run(&plan, from: start, for: .seconds(60))
            if minute > 0 { rounds += counts.reduce(0) { $0 + Int($1.key.gets) * $1.value } }
        }
        // The table of the article: 61 GETs a minute, three of a look because of the webhook, and the account's one.
        #expect((240...262).contains(rounds), "\(rounds)")
        _ = run(&plan, from: .seconds(300), for: .seconds(60), news: polls)
        let quick = run(&plan, from: .seconds(360), for: .seconds(60), news: polls)[.application] ?? 0
        #expect(quick >= 10, "\(quick)")
    }

    @Test func aWebhookMayBeLaterThanAPoll() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        _ = plan.heard(of: "t", at: .zero)
        _ = run(&plan, from: .zero, for: .seconds(59))
        #expect(plan.due(at: .seconds(70)).contains(.application))
        plan.ended(.application, foundNews: true, at: .seconds(70), gets: 10, random: 0.5)
        _ = plan.heard(of: "t", at: .seconds(75))
        plan.ended(.single("t"), foundNews: false, at: .seconds(76), gets: 10, random: 0.5)
        #expect(run(&plan, from: .seconds(76), for: .seconds(300))[.application] ?? 0 <= 6)
    }

    /// Nothing starves: each thread has its rounds, stretched alike.
    @Test func allAreStretchedAlike() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        for index in 0..<40 { plan.viewed("\(index)", by: 1, at: .zero) }
        let rounds = run(&plan, from: .zero, for: .seconds(110))
        let counts = (0..<40).map { rounds[.focus("\($0)")] ?? 0 }
        #expect(counts.min()! >= 4 && counts.max()! - counts.min()! <= 1, "\(counts)")
        #expect((rounds[.application] ?? 0) >= 4)
    }

    /// Who has one thread in view does not wait for who has many.
    @Test func eachAccountHasItsShare() {
        var plan = PollPlan(gets: 10)
        plan.add(account: 1, at: .zero)
        plan.add(account: 2, at: .zero)
        let polls = Set((0..<200).map { PollPlan.Poll.focus("\($0)") } + [.focus("mine"), .application])
        var rounds: [PollPlan.Poll: Int] = [:]
        // A first minute, in which intervals get their length.
        for minute in 0..<11 {
            let start = Duration.seconds(60 * minute)
            for index in 0..<200 { plan.viewed("\(index)", by: 1, at: start) }
            plan.viewed("mine", by: 2, at: start)
            let counts = run(&plan, from: start, for: .seconds(60), news: polls)
            if minute > 0 { rounds.merge(counts, uniquingKeysWith: +) }
        }
        #expect((rounds[.focus("mine")] ?? 0) >= 280 && (rounds[.application] ?? 0) >= 280, "\(rounds)")
        for index in 0..<200 { #expect((rounds[.focus("\(index)")] ?? 0) >= 2) }
        let gets = rounds.reduce(0) { $0 + $1.key.gets * Double($1.value) }
        #expect(gets <= 10 * PollPlan.share * 600 * 1.05, "\(gets)")
    }
}

extension PollPlan {
    /// Lets time pass, with something that happens each second. Returns how often the application's list is read. Nobody
    /// here has the threads that webhooks tell of.
    fileprivate mutating func listsIn(
        _ start: Duration, to end: Duration, _ happens: (inout PollPlan, Duration) -> Void
    ) -> Int {
        var (count, now) = (0, start)
        while now < end {
            followed(at: now)
            happens(&self, now)
            for poll in due(at: now) {
                if poll == .application { count += 1 }
                var isSomebodys = true
                if case .single = poll { isSomebodys = false }
                ended(poll, foundNews: false, isSomebodys: isSomebodys, at: now, gets: 10, random: 0.5)
            }
            now += .seconds(1)
        }
        return count
    }
}
