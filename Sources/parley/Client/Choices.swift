import Formats

/// The answers that a rich message offers, for a person who answers by number.
struct Choices {
    /// What is shown, and what is sent.
    private let answers: [(text: String, postback: String?, more: String?)]

    /// Nil for a message that offers none.
    init?(_ message: JSONElement) {
        let content = message["content"]
        let buttons = (content?["buttons"]?.elements ?? []).compactMap { button in
            button["text"]?.string.map { ($0, button["postback"]?.string, button["description"]?.string) }
        }
        let slots = (content?["timeSlots"]?.elements ?? []).compactMap { slot in
            slot["startTime"]?.string.map { ($0, slot["id"]?.string, String?.none) }
        }
        answers = buttons + slots
        if answers.isEmpty { return nil }
    }

    /// One line for each.
    var lines: [String] {
        answers.enumerated().map { index, answer in
            "  \(index + 1)) \(answer.text)\(answer.more.map { ": \($0)" } ?? "")".shownSafely
        }
    }

    /// What the number chooses; nil for anything else.
    subscript(line: String) -> (text: String, postback: String?)? {
        guard let number = Int(line), answers.indices.contains(number - 1) else { return nil }
        return (answers[number - 1].text, answers[number - 1].postback)
    }
}
