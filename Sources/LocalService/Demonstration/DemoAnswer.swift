import Chat
import ChatModel
import ChatStore
import Formats

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
    func give(
        in record: inout ThreadRecord, replyingTo message: Message?, picture: String?, _ transaction: WriteTransaction,
        _ live: inout LiveChatWork
    ) throws {
        transaction.actor = Author(DemoBot.agent)
        try live.take(&record, by: DemoBot.agent, in: transaction)
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
