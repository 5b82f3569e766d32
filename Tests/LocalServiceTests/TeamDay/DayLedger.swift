import ChatModel
import ChatStore
import Formats

/// What a played day's program knows of it by its own acts. It looks at no figure of the store.
struct DayLedger {
    /// A message that was sent.
    struct Line {
        let id: String
        /// An agent's id; nil for the customer.
        let author: String?
        let isBot: Bool
        /// Later messages have greater ones.
        let version: Int64
        /// The newest message that its author had seen.
        let seen: Int64
    }

    /// What belongs together from the first question to the end.
    struct Contact {
        let channel: String
        let openedAt: Timestamp
        let isReopened: Bool
        var closedAt: Timestamp?
        var closedBy: String?
        var firstAnswer: (agent: String, at: Timestamp)?
        var lastAgent: String?
        var messagesIn = 0
        var messagesOut = 0
        var tags: [String] = []
        var score: Int?
    }

    private(set) var lines: [String: [Line]] = [:]
    private(set) var contacts: [String: [Contact]] = [:]
    /// The tag of each conversation that has one.
    private var tags: [String: String] = [:]

    mutating func asked(_ thread: String, on channel: String, _ line: Line, at time: Timestamp) {
        lines[thread, default: []].append(line)
        if contacts[thread]?.last?.closedAt != nil || contacts[thread] == nil {
            contacts[thread, default: []].append(
                Contact(
                    channel: channel, openedAt: time, isReopened: contacts[thread] != nil,
                    tags: tags[thread].map { [$0] } ?? []))
        }
        changeLast(thread) { $0.messagesIn += 1 }
    }

    mutating func answered(_ thread: String, _ line: Line, at time: Timestamp) {
        lines[thread, default: []].append(line)
        changeLast(thread) { contact in
            contact.messagesOut += 1
            guard let agent = line.author, !line.isBot else { return }
            contact.firstAnswer = contact.firstAnswer ?? (agent, time)
            contact.lastAgent = agent
        }
    }

    mutating func closed(_ thread: String, by agent: String, at time: Timestamp) {
        changeLast(thread) { ($0.closedAt, $0.closedBy) = (time, agent) }
    }

    mutating func rated(_ thread: String, _ score: Int) { changeLast(thread) { $0.score = score } }

    mutating func tagged(_ thread: String, _ tag: String) {
        tags[thread] = tag
        changeLast(thread) { $0.tags = [tag] }
    }

    private mutating func changeLast(_ thread: String, _ change: (inout Contact) -> Void) {
        let last = (contacts[thread]?.count ?? 0) - 1
        precondition(last >= 0, "\(thread) has no contact")
        change(&contacts[thread]![last])
    }

    /// Answers whose author had not seen what a colleague or a bot had written before.
    var answersOfTheUnknowing: [String] {
        lines.flatMap { thread, lines in
            let lines = lines.sorted { $0.version < $1.version }
            return lines.indices.filter { index in
                guard let author = lines[index].author else { return false }
                return lines[..<index].contains {
                    $0.author != nil && $0.author != author && $0.version > lines[index].seen
                }
            }.map { "\(thread): \(lines[$0].id)" }
        }
    }

    /// Conversations whose last word is a customer's.
    var forgotten: [String] {
        lines.filter { $0.value.max { $0.version < $1.version }?.author == nil }.map(\.key).sorted()
    }

    /// The figures of a report's rows, counted from the acts.
    ///
    /// - Parameter keys: the rows in which a part of a contact counts.
    func figures(_ keys: (_ contact: Contact, _ part: Part) -> [String]) -> [String: Figures] {
        var rows: [String: Figures] = [:]
        for contact in contacts.values.joined() {
            for key in keys(contact, .opened) { rows[key, default: Figures()].countOpened(contact) }
            guard contact.closedAt != nil else { continue }
            for key in keys(contact, .closed) { rows[key, default: Figures()].countClosed(contact) }
            guard let score = contact.score else { continue }
            for key in keys(contact, .rated) { rows[key, default: Figures()].scores[score - 1] += 1 }
        }
        return rows
    }

    /// What of a contact a row is about.
    enum Part { case opened, closed, rated }

    struct Figures: Equatable {
        var (opened, reopened, closed, automaticOnly) = (0, 0, 0, 0)
        var (messagesIn, messagesOut) = (0, 0)
        var firstAnswers: [Int64] = []
        var resolutions: [Int64] = []
        var scores = [0, 0, 0, 0, 0]

        static func == (left: Figures, right: Figures) -> Bool {
            left.numbers == right.numbers && left.firstAnswers.sorted() == right.firstAnswers.sorted()
                && left.resolutions.sorted() == right.resolutions.sorted()
        }

        private var numbers: [Int] { [opened, reopened, closed, automaticOnly, messagesIn, messagesOut] + scores }

        mutating func countOpened(_ contact: Contact) {
            opened += 1
            reopened += contact.isReopened ? 1 : 0
            messagesIn += contact.messagesIn
            messagesOut += contact.messagesOut
            if let first = contact.firstAnswer {
                firstAnswers.append(first.at.milliseconds - contact.openedAt.milliseconds)
            }
        }

        mutating func countClosed(_ contact: Contact) {
            closed += 1
            automaticOnly += contact.messagesOut > 0 && contact.firstAnswer == nil ? 1 : 0
            resolutions.append(contact.closedAt!.milliseconds - contact.openedAt.milliseconds)
        }
    }
}
