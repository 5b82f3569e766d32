import Yams

extension ScenarioReader {
    mutating func step(_ node: Node) throws(ScenarioFault) -> Scenario.Step {
        let whole = try members(node, of: Set(actors.map(\.name) + Scenario.sandboxSteps))
        guard whole.count == 1, let (key, name, value) = whole.first else {
            throw fault(node, "a step is one actor with what it does")
        }
        let line = key.mark?.line ?? 1
        if name == "fault" {
            _ = try members(value, of: Self.faultMembers)
            return Scenario.Step(line: line, actor: "", action: .fault(try session(value)))
        }
        if name == "sandbox" {
            return Scenario.Step(line: line, actor: "", action: .requests(try requests(value)))
        }
        if case .scalar = value {
            let word = try text(value)
            let action: Scenario.Action =
                switch word {
                case "close": .close
                case "read": .read
                default: .send(Scenario.Content(text: word))
                }
            return Scenario.Step(line: line, actor: name, action: action)
        }
        var step = Scenario.Step(line: line, actor: name, action: .read)
        let names = try members(value, of: nil).map(\.1)
        let parts: Set<String> =
            if names.contains("expect") {
                Self.patternMembers.union(["within", "once", "save", "after"])
            } else if names.contains("noneOf") {
                ["noneOf", "within", "after"]
            } else if let word = ["typing", "read", "close", "nothingElse"].first(where: names.contains) {
                [word, "after"]
            } else { ["text", "postback", "file", "replyTo", "save", "after"] }
        let known = try members(value, of: parts)
        func part(_ name: String) -> Node? { known.first { $0.1 == name }?.2 }
        if let after = part("after") { step.after = try duration(after) }
        if names.contains("expect") {
            step.action = .expect(try expectation(known))
        } else if let list = part("noneOf") {
            let within = try part("within").map { n throws(ScenarioFault) in try duration(n) } ?? within
            step.action = .noneOf(try patterns(list), within: within)
        } else if let time = part("nothingElse") {
            step.action = .nothingElse(try duration(time))
        } else if let typing = part("typing") {
            step.action = .typing(try duration(typing))
        } else if let word = known.first(where: { $0.1 == "read" || $0.1 == "close" }) {
            guard try flag(word.2) else { throw fault(word.2, "only true makes sense here") }
            step.action = word.1 == "read" ? .read : .close
        } else {
            step.action = .send(try content(value, known, of: name))
        }
        return step
    }

    /// Of a fault of the sandbox, as its route takes them.
    private static let faultMembers: Set = [
        "kind", "event", "customer", "channel", "socket", "milliseconds", "count", "nth", "probability", "seed",
        "lastsMilliseconds", "errorCode",
    ]
    private static let patternMembers: Set = ["expect", "from", "text", "state", "unread", "where"]

    /// `{expect, times?, pauses?: growing, customer?, within?}`
    private func requests(_ node: Node) throws(ScenarioFault) -> Scenario.Requests {
        var requests = Scenario.Requests(event: "", within: within)
        for (_, name, value) in try members(node, of: ["expect", "times", "pauses", "customer", "within"]) {
            switch name {
            case "expect": requests.event = try text(value, isFilled: false)
            case "times":
                guard let times = Int(try text(value)), 1...100 ~= times else {
                    throw fault(value, "a number from 1 to 100 was expected")
                }
                requests.times = times
            case "pauses":
                guard try text(value) == "growing" else { throw fault(value, "growing was expected") }
                requests.isSlowing = true
            case "customer": requests.customer = try text(value)
            default: requests.within = try duration(value)
            }
        }
        guard !requests.event.isEmpty else { throw fault(node, "sandbox expects a request: expect: SendMessage") }
        guard !requests.isSlowing || requests.times > 2 else {
            throw fault(node, "growing pauses need times: 3 or more")
        }
        return requests
    }

    private mutating func content(
        _ node: Node, _ parts: [(Node, String, Node)], of actor: String
    ) throws(ScenarioFault) -> Scenario.Content {
        var content = Scenario.Content()
        for (key, name, value) in parts {
            switch name {
            case "text": content.text = try text(value)
            case "postback":
                guard actors.first(where: { $0.name == actor })?.side == .customer else {
                    throw fault(key, "postback is a customer's answer")
                }
                content.postback = try text(value)
            case "file": content.file = try text(value)
            case "replyTo": content.replyTo = try text(value)
            default: break
            }
        }
        guard content.text != nil || content.file != nil else {
            throw fault(
                node, "a step has text, file, typing, read, close, expect, nothingElse or noneOf; postback needs a text"
            )
        }
        content.saved = try saved(parts)
        return content
    }

    private mutating func expectation(_ parts: [(Node, String, Node)]) throws(ScenarioFault) -> Scenario.Expectation {
        var expected = Scenario.Expectation(pattern: try pattern(parts), within: within)
        for (_, name, value) in parts {
            switch name {
            case "within": expected.within = try duration(value)
            case "once": expected.once = try duration(value)
            default: break
            }
        }
        expected.saved = try saved(parts)
        return expected
    }

    private func patterns(_ node: Node) throws(ScenarioFault) -> [Scenario.Pattern] {
        guard case .sequence(let list) = node, node.anchor == nil, 1...100 ~= list.count else {
            throw fault(node, "a list of 1 to 100 events was expected")
        }
        var patterns: [Scenario.Pattern] = []
        for each in list { patterns.append(try pattern(try members(each, of: Self.patternMembers))) }
        return patterns
    }

    private func pattern(_ parts: [(Node, String, Node)]) throws(ScenarioFault) -> Scenario.Pattern {
        var pattern = Scenario.Pattern()
        func add(_ path: String, _ node: Node) throws(ScenarioFault) {
            let condition = ScenarioCondition(path: ScenarioPath(path), value: try text(node))
            let filled = condition.value.filled { _ in "x" }.text
            if condition.isExpression, (try? Regex(filled.dropFirst().dropLast().description)) == nil {
                throw fault(node, "\(condition.value) is no regular expression")
            }
            pattern.conditions.append(condition)
        }
        for (_, name, value) in parts {
            switch name {
            case "expect":
                let kind = try text(value)
                pattern.event = ["message": "message.created", "thread": "thread.updated"][kind] ?? kind
            case "from": pattern.from = try text(value)
            case "text": try add("message.text", value)
            case "state": try add("thread.state", value)
            case "unread": try add("thread.unreadCount", value)
            case "where": for (_, path, wanted) in try members(value, of: nil) { try add(path, wanted) }
            default: break
            }
        }
        return pattern
    }

    private mutating func saved(_ parts: [(Node, String, Node)]) throws(ScenarioFault) -> Scenario.Saved {
        guard let node = parts.first(where: { $0.1 == "save" })?.2 else { return [] }
        var saved: Scenario.Saved = []
        for (_, name, path) in try members(node, of: nil) {
            saved.append((name, ScenarioPath(try text(path))))
            known.insert(name)
        }
        return saved
    }
}
