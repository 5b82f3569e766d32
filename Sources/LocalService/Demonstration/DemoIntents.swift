import Chat
import ChatModel
import ChatStore
import Formats

/// What a customer may want of the bot.
struct DemoIntent: Sendable {
    /// Its postback: a button that has it means this intent. An argument may follow after a colon, as in `order:1001`.
    var name: String
    /// Any of these words means it, too.
    var words: Set<String>
    var answer: @Sendable (DemoQuestion) -> DemoAnswer
}

/// A customer's message, as an intent sees it.
struct DemoQuestion: Sendable {
    var text: String
    /// What stands after the colon of the postback.
    var argument: String?
    var now: Timestamp

    /// The words of the text, in lower case.
    var words: [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

extension DemoAnswer {
    /// The answer to a message with this text and postback. A postback decides before words do. Of several intents,
    /// the first of the table counts.
    init(to text: String?, postback: String?, now: Timestamp) {
        let parts = (postback ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        let question = DemoQuestion(text: text ?? "", argument: parts.count > 1 ? parts[1] : nil, now: now)
        let words = Set(question.words)
        let intent =
            DemoIntent.all.first { $0.name == parts.first }
            ?? DemoIntent.all.first { !$0.words.isDisjoint(with: words) }
        self = intent?.answer(question) ?? DemoAnswer(menu: "I did not understand that. Here is what I can do.")
    }
}

extension DemoIntent {
    static let all = [
        DemoIntent(
            name: "person", words: ["person", "people", "human", "agent", "somebody", "someone", "colleague"]
        ) { _ in
            var answer = DemoAnswer(
                "A person will answer: in this demonstration it is you, at the desk.",
                buttons: [ReplyButton(text: "Back to the bot", postback: "bot")])
            answer.handsOver = true
            return answer
        },
        DemoIntent(name: "bot", words: ["bot"]) { _ in
            var answer = DemoAnswer(menu: "It is me again, the bot. What can I do for you?")
            answer.takesBack = true
            return answer
        },
        DemoIntent(
            name: "order", words: Set(["order", "orders", "parcel", "delivery", "shipping"] + orders.map(\.number)),
            answer: order),
        DemoIntent(name: "return", words: ["return", "refund", "exchange", "broken", "torn"]) { question in
            switch question.argument {
            case "refund": DemoAnswer("You get your money back as soon as the parcel is here.")
            case "exchange": DemoAnswer("We send you another one as soon as the parcel is here.")
            default:
                DemoAnswer(
                    "You can return everything for 30 days. What would you like?",
                    buttons: [
                        ReplyButton(text: "My money back", postback: "return:refund"),
                        ReplyButton(text: "Another one", postback: "return:exchange"),
                        ReplyButton(text: "A person", postback: "person"),
                    ])
            }
        },
        DemoIntent(name: "appointment", words: ["appointment", "visit", "date", "book"], answer: appointment),
        DemoIntent(name: "picture", words: ["picture", "photo", "image", "tent"]) { _ in
            var answer = DemoAnswer("This is our tent, with a sunrise.")
            answer.showsPicture = true
            return answer
        },
        DemoIntent(name: "hours", words: ["open", "opening", "hours", "when"]) { _ in
            DemoAnswer("The shop is open **from 9 to 18**, from Monday to Saturday.")
        },
        DemoIntent(name: "thanks", words: ["thanks", "thank"]) { _ in DemoAnswer("You are welcome!") },
        DemoIntent(name: "bye", words: ["bye", "goodbye"]) { _ in DemoAnswer("Goodbye, and see you soon!") },
        DemoIntent(name: "hello", words: ["hello", "hi", "hey", "hallo", "help", "morning", "evening"]) { _ in
            DemoAnswer(menu: "Hello! I am the shop's bot. What can I do for you?")
        },
    ]

    private static let orders = [
        (number: "1001", goods: "Tent", state: "was sent"),
        (number: "1002", goods: "Boots", state: "waits for you in the shop"),
        (number: "1003", goods: "Sleeping bag", state: "was delivered"),
    ]

    /// Asks which order is meant, unless the button or the text names it.
    @Sendable private static func order(_ question: DemoQuestion) -> DemoAnswer {
        let named = [question.argument].compactMap(\.self) + question.words
        guard let order = orders.first(where: { named.contains($0.number) }) else {
            var answer = DemoAnswer("Which order is it?")
            answer.content = .listPicker(
                ListPicker(
                    title: answer.text, text: "You have \(orders.count) orders.",
                    buttons: orders.map { order in
                        ReplyButton(
                            text: order.goods, description: "Order \(order.number), \(order.state)",
                            postback: "order:\(order.number)")
                    }))
            return answer
        }
        var answer = DemoAnswer("Order \(order.number): \(order.goods.lowercased()). It \(order.state).")
        answer.showsPicture = order.goods == "Tent"
        return answer
    }

    /// Offers times of the next day, or confirms the one that was chosen.
    @Sendable private static func appointment(_ question: DemoQuestion) -> DemoAnswer {
        if question.argument != nil { return DemoAnswer("Your appointment: \(question.text). See you then!") }
        let day: Int64 = 86_400_000
        let tomorrow = (question.now.milliseconds / day + 1) * day
        var answer = DemoAnswer("When would you like to come?")
        answer.content = .timePicker(
            TimePicker(
                title: answer.text, sheetTitle: "Half an hour with one of us, in the shop",
                timeSlots: [9, 11, 15].map { (hour: Int64) in
                    let start = Timestamp(milliseconds: tomorrow + hour * 3_600_000)
                    return .init(id: "appointment:\(start.rfc3339)", duration: 1800, startTime: start)
                }))
        return answer
    }
}

/// What the bot answers: a text, and what comes with it. It depends on nothing but the customer's message and the
/// time.
struct DemoAnswer: Sendable, Hashable {
    var text: String
    /// Choices; their title is the text.
    var content: RichContent?
    /// Whether the bot's picture comes with it.
    var showsPicture = false
    /// After it, the conversation waits for a person, and the bot is silent.
    var handsOver = false
    /// Whether it may be given although the conversation waits for a person.
    var takesBack = false

    /// What the bot says when it takes a live chat from the queue.
    static let greeting = DemoAnswer(menu: "Hello! I am the shop's bot. What can I do for you?")
    /// What it says when a person has handed back to it.
    static let back = DemoAnswer(menu: "I am back: the conversation was handed back to me. What can I do for you?")

    init(_ text: String) { self.text = text }

    /// A question with one button for each answer.
    init(_ title: String, buttons: [ReplyButton]) {
        self.init(title)
        content = .quickReplies(QuickReplies(title: title, buttons: buttons))
    }

    /// A text with what the bot can do, as buttons.
    init(menu title: String) {
        self.init(
            title,
            buttons: [
                ReplyButton(text: "My order", postback: "order"),
                ReplyButton(text: "A return", postback: "return"),
                ReplyButton(text: "An appointment", postback: "appointment"),
                ReplyButton(text: "A person", postback: "person"),
            ])
    }

    /// Takes the thread for the bot, and sends the answer. If the answer hands over, the thread is released again. The
    /// same rules apply as for any agent.
    ///
    /// - Parameters:
    ///   - message: the customer's message; a reply is answered in its reply thread.
    ///   - picture: the id of an upload of the desk; used if the answer shows one.
    func sendAnswer(
        in record: inout ThreadRecord, replyingTo message: Message?, picture: String?, _ transaction: WriteTransaction,
        _ live: inout LiveChatWork
    ) throws {
        transaction.actor = Author(DemoBot.agent)
        try live.assign(&record, by: DemoBot.agent, in: transaction)
        let draft = draft(replyingTo: message, picture: picture)
        try draft.check()
        _ = try MessageWork(transaction: transaction, party: .agent(DemoBot.agent))
            .send(draft, to: &record, live: &live, receipt: nil)
        if handsOver { try live.release(&record, waits: transaction.isLiveChat(record), in: transaction) }
    }

    /// A reply cannot carry choices, so they are part of its text.
    private func draft(replyingTo message: Message?, picture: String?) -> MessageDraft {
        let attachments = showsPicture ? [picture].compactMap(\.self) : []
        guard let message, message.parentID != nil else {
            return MessageDraft(text: text, attachments: attachments, content: content)
        }
        return MessageDraft(
            text: ([text] + choices.map { "- \($0)" }).joined(separator: "\n"), parentID: message.parentID,
            alsoInThread: message.alsoInThread, attachments: attachments)
    }

    /// What the customer may choose, as text.
    private var choices: [String] {
        switch content {
        case .quickReplies(let replies): replies.buttons.map(\.text)
        case .listPicker(let list): list.buttons.map(\.text)
        case .timePicker(let times): times.timeSlots.map(\.startTime.rfc3339)
        case .richLink, nil: []
        }
    }
}
