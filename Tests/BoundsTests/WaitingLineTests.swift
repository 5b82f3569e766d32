import Bounds
import Testing

struct WaitingLineTests {
    private let ann = Holder.named("ann")
    private let bo = Holder.named("bo")

    @Test func aHolderWithOneWorkPassesAThousandOfAnother() {
        var line = WaitingLine(limit: 3, waiting: 8000)
        #expect(line.enter(ann, 1) == .begins)
        for ticket in 2...1001 as ClosedRange<UInt64> { #expect(line.enter(ann, ticket) == .waits) }
        #expect(line.enter(ann, 1002) == .refused(.share(1000, limit: 8000)))
        #expect(line.enter(bo, 2000) == .begins)
        #expect(line.enter(bo, 2001) == .waits)
        #expect(line.leave(ann) == 2)
        #expect(line.leave(bo) == 2001)
        #expect(line.leave(bo) == nil)
        #expect(line.leave(ann) == 3)
        #expect((line.runningCount, line.waitingCount) == (1, 998))
    }

    @Test func holdersThatWaitTakeTurns() {
        var line = WaitingLine(limit: 2, waiting: 64)
        #expect(line.enter(ann, 1) == .begins)
        for (holder, ticket) in [(ann, 2), (ann, 3), (bo, 4), (bo, 5)] as [(Holder, UInt64)] {
            #expect(line.enter(holder, ticket) == .waits)
        }
        #expect(line.leave(ann) == 2)
        #expect(line.leave(ann) == 4)
        #expect(line.leave(bo) == 3)
        #expect(line.leave(ann) == 5)
        #expect(line.leave(bo) == nil)
    }

    @Test func rootNeverWaitsForOthers() {
        var line = WaitingLine(limit: 4, waiting: 64)
        for name in ["a", "b", "c"] { #expect(line.enter(.named(name), 1) == .begins) }
        #expect(line.enter(.named("d"), 2) == .waits)
        #expect(line.enter(.root, 3) == .begins)
        #expect(line.leave(.root) == nil)
        #expect(line.enter(.root, 4) == .begins)
    }

    @Test func whoWithdrawsGivesItsPlaceInTheLineBack() {
        var line = WaitingLine(limit: 2, waiting: 8)
        #expect(line.enter(ann, 1) == .begins)
        #expect(line.enter(ann, 2) == .waits)
        #expect(line.enter(ann, 3) == .refused(.share(1, limit: 8)))
        #expect(line.withdraw(ann, 2) == true)
        #expect(line.withdraw(ann, 2) == false)
        #expect(line.withdraw(ann, 1) == false)
        #expect(line.enter(ann, 3) == .waits)
        #expect(line.leave(ann) == 3)
    }

    @Test("no work is lost, doubled or left waiting beside a free place", arguments: 0..<20)
    func histories(seed: UInt64) {
        var numbers = Numbers(state: seed)
        var line = WaitingLine(limit: 5, waiting: 40)
        let holders: [Holder] = [.nobody, .root, ann, bo, .named("cy")]
        var (running, waiting): ([(Holder, UInt64)], [UInt64: Holder]) = ([], [:])
        for ticket in 0..<2000 as Range<UInt64> {
            let holder = holders[numbers.next(below: holders.count)]
            switch numbers.next(below: 5) {
            case 0, 1:
                switch line.enter(holder, ticket) {
                case .begins: running.append((holder, ticket))
                case .waits: waiting[ticket] = holder
                case .refused: #expect(waiting.values.contains(holder))
                }
            case 2:
                guard let (old, holder) = waiting.min(by: { $0.key < $1.key }) else { continue }
                #expect(line.withdraw(holder, old) == true)
                waiting[old] = nil
            default:
                guard !running.isEmpty else { continue }
                let (holder, _) = running.remove(at: numbers.next(below: running.count))
                guard let next = line.leave(holder) else { continue }
                guard let owner = waiting.removeValue(forKey: next) else {
                    Issue.record("\(next) did not wait")
                    continue
                }
                running.append((owner, next))
            }
            #expect(line.runningCount == running.count)
            #expect(line.waitingCount == waiting.count)
            // Whoever waits has all of its share, or there is no place for it.
            #expect(running.count >= 4 || Set(waiting.values).allSatisfy { own in running.contains { $0.0 == own } })
        }
        while let (holder, _) = running.popLast() {
            if let next = line.leave(holder) { running.append((waiting.removeValue(forKey: next) ?? .root, next)) }
        }
        #expect(waiting.isEmpty)
    }
}
