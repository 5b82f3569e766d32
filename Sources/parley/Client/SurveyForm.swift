import Formats

/// The questions that a channel asks before a chat, asked in a terminal.
struct SurveyForm {
    let survey: JSONElement
    let output: Output

    /// Asks each question, and returns the answers; nil at the end of the input.
    ///
    /// An answer to a list is a number, a label or an id. An empty one leaves a question out that needs none.
    func ask(_ input: inout LineInput) -> [(ident: String, value: String)]? {
        output.note(survey["name"]?.string ?? "The channel asks first.")
        var answers: [(ident: String, value: String)] = []
        for field in survey["fields"]?.elements ?? [] {
            guard let ident = field["ident"]?.string else { continue }
            let isNeeded = field["isRequired"]?.kind == .true
            let options = Self.options(field)
            output.note(
                lines: ["\(field["label"]?.string ?? ident)\(isNeeded ? "" : " (may stay empty)")".shownSafely]
                    + options.enumerated().map { "  \($0 + 1)) \($1.label)".shownSafely })
            while true {
                guard let line = input.next() else { return nil }
                if line.isEmpty && !isNeeded { break }
                if let value = Self.value(line, options) {
                    answers.append((ident, value))
                    break
                }
                output.note(
                    options.isEmpty ? "this question needs an answer" : "choose a number from 1 to \(options.count)")
            }
        }
        return answers
    }

    /// Nil if the line is no answer.
    private static func value(_ line: String, _ options: [(id: String, label: String)]) -> String? {
        if options.isEmpty { return line.isEmpty ? nil : line }
        if let number = Int(line), options.indices.contains(number - 1) { return options[number - 1].id }
        return options.first { $0.id == line || $0.label == line }?.id
    }

    /// Those that can be chosen: in a tree the ones that have none below them, named with those above.
    private static func options(_ field: JSONElement) -> [(id: String, label: String)] {
        let all = field["options"]?.elements ?? []
        let parents = Set(all.compactMap { $0["parentId"]?.string })
        return all.compactMap { option in
            guard let id = option["id"]?.string, !parents.contains(id) else { return nil }
            var (label, above) = (option["label"]?.string ?? id, option["parentId"]?.string)
            // A tree has fewer levels than options.
            for _ in all {
                guard let next = all.first(where: { $0["id"]?.string == above }) else { break }
                (label, above) = ("\(next["label"]?.string ?? "") / \(label)", next["parentId"]?.string)
            }
            return (id, label)
        }
    }
}
