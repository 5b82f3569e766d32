import Formats

/// What must stand somewhere in an event's data.
struct ScenarioCondition: Sendable {
    var path: ScenarioPath
    /// With variables: a text, or `/a regular expression/`.
    var value: String

    /// Why it does not hold for an event, with the value that is there; nil if it holds.
    ///
    /// Throws the error of an expression that its variables have made wrong.
    func fault(in data: JSONElement, _ variables: [String: String]) throws -> String? {
        switch path.find(in: data) {
        case .nothing(let reason): return "\(path.text) is not there: \(reason)"
        case .values(let values):
            let holds = try holds(variables)
            if values.contains(where: holds) { return nil }
            return "\(path.text) is \(values.map { "\"\($0.cut(toScalars: 200).text)\"" }.joined(separator: ", "))"
        }
    }

    /// Whether it is an expression.
    var isExpression: Bool { value.utf8.count > 1 && value.hasPrefix("/") && value.hasSuffix("/") }

    private func holds(_ variables: [String: String]) throws -> (String) -> Bool {
        guard isExpression else {
            let wanted = value.filled { variables[$0] }.text
            return { $0 == wanted }
        }
        // A variable's value is no part of the expression.
        let pattern = value.dropFirst().dropLast().description.filled { variables[$0]?.escapedForExpression }.text
        let expression = try Regex(pattern)
        return { $0.contains(expression) }
    }
}

/// A place in an event's data, such as `message.attachments.0.name`. In a list, a number is one of its elements, and `*`
/// is each of them.
struct ScenarioPath: Sendable {
    /// What stands there.
    enum Found {
        /// At least one: the texts, and other values as JSON.
        case values([String])
        /// How far the path goes.
        case nothing(String)
    }

    let text: String

    init(_ text: String) { self.text = text }

    func find(in data: JSONElement) -> Found {
        var places = [(element: data, name: "")]
        for part in text.split(separator: ".") {
            var next: [(element: JSONElement, name: String)] = []
            for (element, name) in places { next += Self.parts(String(part), of: element, name) }
            if next.isEmpty { return .nothing(Self.reason(String(part), places)) }
            places = next
        }
        return .values(places.map { $0.element.string ?? String(decoding: $0.element.bytes, as: UTF8.self) })
    }

    /// The first value; nil for none.
    func value(in data: JSONElement) -> String? {
        if case .values(let values) = find(in: data) { values.first } else { nil }
    }

    private static func parts(_ part: String, of element: JSONElement, _ name: String) -> [(JSONElement, String)] {
        let longer = name.isEmpty ? part : "\(name).\(part)"
        guard let elements = element.elements else {
            return element.members?.first { $0.name == part }.map { [($0.value, longer)] } ?? []
        }
        if part == "*" { return elements.enumerated().map { ($1, "\(name).\($0)") } }
        guard let index = Int(part), elements.indices.contains(index) else { return [] }
        return [(elements[index], longer)]
    }

    private static func reason(_ part: String, _ places: [(element: JSONElement, name: String)]) -> String {
        guard let (element, name) = places.first else { return "" }
        let place = name.isEmpty ? "the event" : name
        if let elements = element.elements {
            return part == "*" || Int(part) != nil
                ? "\(place) has \(elements.count == 1 ? "1 element" : "\(elements.count) elements")"
                : "\(place) is a list: name an element by its number, or * for any"
        }
        guard let members = element.members else { return "\(place) has no members" }
        let names = members.prefix(20).map(\.name).joined(separator: ", ")
        return "\(place) has no \(part)" + (names.isEmpty ? "" : ", but \(names)")
    }
}
