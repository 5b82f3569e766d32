import Testing

@testable import Bounds

/// A dictionary that drops what was not used for the longest time.
@Suite struct RecentlyUsedTests {
    @Test func whatWasNotUsedForTheLongestTimeMakesRoom() {
        var kept = RecentlyUsed<String, Int>(limit: 3)
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { kept[key] = value }
        let used = kept["a"]
        #expect(used == 1)
        #expect(kept.peek("b") == 2, "no use")
        var dropped = kept.set(4, for: "d").map(\.key)
        #expect(dropped == ["b"])
        #expect(kept.keysByUse == ["c", "a", "d"])
        kept["c"] = 5
        dropped = kept.set(6, for: "e").map(\.key)
        #expect(dropped == ["a"])
        #expect(kept.peek("b") == nil && kept.peek("c") == 5 && kept.count == 3)
    }

    @Test func weightsCount() {
        var kept = RecentlyUsed<Int, String>(limit: 10)
        for key in 1...3 { kept.set("x", for: key, weight: 3) }
        #expect(kept.weight == 9)
        var dropped = kept.set("y", for: 2, weight: 5).map(\.key)
        #expect(dropped == [1])
        #expect(kept.weight == 8)
        dropped = kept.set("z", for: 4, weight: 100).map(\.key)
        #expect(dropped == [3, 2])
        #expect(kept.keysByUse == [4], "what is too heavy alone stays alone")
        dropped = kept.set("x", for: 5, weight: 1).map(\.key)
        #expect(dropped == [4])
        #expect(kept.weight == 1)
    }

    @Test func whatIsRemovedLeavesNoTrace() {
        var kept = RecentlyUsed<Int, Int>(limit: 4)
        for key in 1...4 { kept[key] = key }
        for key in [2, 1, 4] {
            let value = kept.remove(key)
            #expect(value == key)
        }
        let again = kept.remove(2)
        #expect(again == nil)
        #expect(kept.keysByUse == [3] && kept.weight == 1)
        kept[3] = nil
        #expect(kept.isEmpty && kept.weight == 0 && kept.keysByUse.isEmpty)
        kept.change(3) { $0 += 1 }
        #expect(kept.isEmpty)
    }

    /// Compared with a list that is searched.
    @Test func itIsWhatAListWouldBe() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var kept = RecentlyUsed<Int, Int>(limit: 8)
            var model: [(key: Int, value: Int)] = []
            for step in 0..<200 {
                let key = Int.random(in: 0..<16, using: &random)
                let known = model.firstIndex { $0.key == key }
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let value = kept.remove(key)
                    #expect(value == known.map { model[$0].value })
                    if let known { model.remove(at: known) }
                case 1:
                    let value = Bool.random(using: &random) ? kept[key] : kept.read(key) { $0 }
                    #expect(value == known.map { model[$0].value })
                    if let known { model.append(model.remove(at: known)) }
                case 2:
                    kept.change(key) { $0 = -step }
                    if let known {
                        model.remove(at: known)
                        model.append((key, -step))
                    }
                default:
                    kept.set(step, for: key)
                    if let known { model.remove(at: known) }
                    model.append((key, step))
                    if model.count > 8 { model.removeFirst() }
                }
                #expect(kept.keysByUse == model.map(\.key))
                #expect(kept.count == model.count)
            }
        }
    }
}
