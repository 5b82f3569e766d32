import Formats
import Foundation
import Scenarios

/// A chat in a terminal: lines of standard input are sent, and messages of the other side are printed.
struct Conversation {
    let client: GatewayClient
    let output: Output
    /// The thread's path, to which parts such as `messages` are added by ``part``.
    let part: (String) -> String
    /// The path to which files are uploaded.
    let uploads: [String]
    let thread: String
    /// Whose events tell of the thread.
    let scope: FeedScope
    /// The messages of the other side go into this direction.
    let incoming: String
    /// Writes members of a message beside its content.
    var decorate: (inout JSONWriter) -> Void = { _ in }
    /// What the newest message of the other side offers to answer.
    private var choices: Choices?

    init(
        client: GatewayClient, output: Output, part: @escaping (String) -> String, uploads: [String], thread: String,
        scope: FeedScope, incoming: String, decorate: @escaping (inout JSONWriter) -> Void = { _ in }
    ) {
        (self.client, self.output, self.part, self.uploads) = (client, output, part, uploads)
        (self.thread, self.scope, self.incoming, self.decorate) = (thread, scope, incoming, decorate)
    }

    /// Shows the newest messages, then runs until the input ends or says `/quit`. Throws ``CommandFailure`` when the
    /// stream cannot go on; what a single message meets is told, and the chat goes on.
    mutating func run(_ input: inout LineInput) throws(CommandFailure) {
        let history = try Pages(client, part("messages"), count: 10)
        for message in history.items.reversed() { show(message) }
        output.inform("/file PATH sends a file, /end ends a live chat, /quit leaves")
        // The list's place: no message is missed between the list and the stream.
        let following = try Following(client, scope, from: history.cursor.map(FeedStart.after) ?? .now, output: output)
        while true {
            // Lines that came with answers to questions before the chat.
            for line in input.left() {
                if line == "/quit" { return }
                do throws(CommandFailure) { try obey(line) } catch { output.fail(error) }
            }
            switch try following.next(beside: (STDIN_FILENO, POLLIN)) {
            case .event(let event): handle(event)
            case .other:
                if !input.fill() { return }
            case .deadline: break
            }
        }
    }

    private mutating func handle(_ event: FeedEvent) {
        guard event.type == "message.created", let data = (try? JSONText(event.data))?.root,
            data["threadId"]?.string == thread, let message = data["message"],
            message["direction"]?.string == incoming
        else { return }
        show(message)
    }

    private mutating func show(_ message: JSONElement) {
        // An older message's buttons mean nothing any more.
        choices = incoming == "toClient" && message["direction"]?.string == incoming ? Choices(message) : nil
        if output.format != .table {
            return output.list([message], bytes: Array(message.bytes), titles: []) { _ in [] }
        }
        // What is being typed stays in the terminal's line buffer; the message goes over its echo.
        let start = output.width != nil && isatty(STDIN_FILENO) == 1 ? "\r\u{1B}[K" : ""
        let author = "\(Transcript.author(message)):".shownSafely
        // Further to the right no line of a message looks like another one's author.
        let lines = Transcript.text(message).linesShownSafely
        output.line("\(start)\(output.isStyled ? TextStyle.bold.paint(author) : author) \(lines[0])")
        for line in lines.dropFirst() { output.line("    \(line)") }
        for line in choices?.lines ?? [] { output.line(line) }
        if choices != nil { output.inform("a number chooses one of these") }
    }

    private mutating func obey(_ line: String) throws(CommandFailure) {
        if line.isEmpty { return }
        if line == "/end" {
            _ = try client.post(part("end"))
            return output.inform("the chat has ended")
        }
        var file: String?
        if line.hasPrefix("/file ") {
            file = try InputFile.upload(String(line.dropFirst(6)), client, to: uploads)
        } else if line.hasPrefix("/"), !line.hasPrefix("//") {
            throw .usage("There are /file PATH, /end and /quit. A message that begins with a slash needs a second one.")
        }
        let choice = choices?[line]
        choices = nil
        _ = try client.post(part("messages")) { [decorate] json in
            if let choice {
                json.member("text", choice.text)
                json.member("postback", choice.postback)
            } else if let file {
                json.name("attachments")
                json.beginArray()
                json.beginObject()
                json.member("id", file)
                json.endObject()
                json.endArray()
            } else {
                json.member("text", line.hasPrefix("//") ? String(line.dropFirst()) : line)
            }
            decorate(&json)
        }
    }
}

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

/// The questions that a channel asks before a chat, asked in a terminal.
struct SurveyForm {
    let survey: JSONElement
    let output: Output

    /// Asks each question, and returns the answers; nil at the end of the input.
    ///
    /// An answer to a list is a number, a label or an id. An empty one leaves a question out that needs none.
    func ask(_ input: inout LineInput) -> [(ident: String, value: String)]? {
        output.inform(survey["name"]?.string ?? "The channel asks first.")
        var answers: [(ident: String, value: String)] = []
        for field in survey["fields"]?.elements ?? [] {
            guard let ident = field["ident"]?.string else { continue }
            let isNeeded = field["isRequired"]?.kind == .true
            let options = Self.options(field)
            output.inform(
                lines: ["\(field["label"]?.string ?? ident)\(isNeeded ? "" : " (may stay empty)")".shownSafely]
                    + options.enumerated().map { "  \($0 + 1)) \($1.label)".shownSafely })
            while true {
                guard let line = input.next() else { return nil }
                if line.isEmpty && !isNeeded { break }
                if let value = Self.value(line, options) {
                    answers.append((ident, value))
                    break
                }
                output.inform(
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
