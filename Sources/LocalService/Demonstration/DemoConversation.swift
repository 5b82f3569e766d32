import Chat
import ChatModel
import ChatStore

/// A conversation that is there when the demonstration begins, as a list of steps.
struct DemoConversation: Sendable {
    enum Step: Sendable {
        /// The customer writes, or presses a button that has this postback.
        case customer(String, postback: String? = nil)
        /// The bot answers the customer's last message, as it would today.
        case bot
        /// The person at the desk takes the conversation.
        case take
        /// The person at the desk writes.
        case person(String)
        /// Somebody replies to the message that began the last reply thread; without one, to the last message.
        case reply(String, byCustomer: Bool)
        /// The customer has read everything.
        case read
        /// The conversation is closed.
        case close

        /// Whether the customer does it, and nobody at the desk.
        var isOfCustomer: Bool {
            switch self {
            case .customer, .read: true
            case .reply(_, let byCustomer): byCustomer
            case .bot, .take, .person, .close: false
            }
        }
    }

    /// The id of the thread.
    var id: String
    var channel = DemoChannels.shop
    var customer = Demonstration.customer
    var name: String?
    /// Answers to the channel's survey.
    var fields: [String: String] = [:]
    var steps: [Step]

    /// Who answers at the desk.
    static let person = Agent(id: "bo", name: "Bo")

    /// Under which name the store notes that it was made.
    var mark: String { "demo.\(id)" }

    /// Whether the bot sends its picture.
    var showsPicture: Bool {
        steps.contains { step in
            guard case .customer(let text, let postback) = step else { return false }
            return DemoAnswer(to: text, postback: postback, now: .init(milliseconds: 0)).showsPicture
        }
    }

    /// The last one stands first in the customer's list.
    static let all = [
        DemoConversation(
            id: "demo-invoice", name: "An invoice",
            steps: [
                .customer("Can I get an invoice for order 1003? I would like to talk to a person."), .bot, .take,
                .person("Of course, Ada. It is in your mailbox now."), .customer("Got it, thank you."), .read, .close,
            ]),
        DemoConversation(
            id: "demo-seam", name: "A torn seam",
            steps: [
                .customer("The seam of my backpack is torn. Can I talk to a person?"), .bot, .take,
                .person("Hello Ada, this is Bo. Which seam is it?"),
                .reply("The left one, about 3 cm.", byCustomer: true),
                .reply("Then we repair it for free. Please **bring it to the shop**.", byCustomer: false),
                .customer("Great, I will come by tomorrow."), .read,
            ]),
        DemoConversation(
            id: "demo-appointment", name: "Boots that fit",
            steps: [.customer("I would like an appointment, to try hiking boots."), .bot, .read]),
        DemoConversation(
            id: "demo-order", name: "My tent",
            steps: [
                .customer("Where is my order?"), .bot, .customer("Tent", postback: "order:1001"), .bot,
                .customer("Thank you!"), .bot, .read,
            ]),
        DemoConversation(
            id: "demo-hello", name: "Hello", steps: [.customer("Hello!"), .bot]),
        DemoConversation(
            id: "demo-boots", channel: DemoChannels.live, fields: ["topic": "return", "order": "1002"],
            steps: [
                .customer("My boots are too small. May I talk to a person?"), .bot, .take,
                .person("Hello Ada. Send them back to us, and we send you the next size."),
                .customer("Perfect, thank you."), .read, .close,
            ]),
        DemoConversation(
            id: "demo-waiting", channel: DemoChannels.live, customer: Customer(id: "grace", firstName: "Grace"),
            fields: ["topic": "order"],
            steps: [.customer("My order has not arrived. May I talk to a person, please?"), .bot]),
    ]
}

/// Plays a conversation of the demonstration inside one unit, by what customers and the desk do themselves. So rows, log
/// and order are those of any conversation.
struct DemoStage {
    private let transaction: WriteTransaction
    private let owner: AccountRecord
    private var record: ThreadRecord
    /// What the bot answers next.
    private var question: (text: String, postback: String?) = ("", nil)
    /// The ids of the last message, and of the one that the last reply refers to.
    private var last: String?, parent: String?

    /// Makes the customer, if needed, and the thread. Throws what ``LocalConnection/createThread(_:receipt:)`` throws.
    init(_ conversation: DemoConversation, in transaction: WriteTransaction, live: inout LiveChatWork) throws {
        let channel = try transaction.localChannel(conversation.channel)
        var owner = try transaction.openAccount(
            AccountKey(service: LocalService.serviceID, channel: channel.id, customer: conversation.customer.id))
        owner.customer = conversation.customer
        try transaction.save(owner)
        transaction.actor = Author(owner.customer)
        _ = try transaction.createThread(
            ThreadDraft(id: conversation.id, name: conversation.name, customFields: conversation.fields),
            of: owner, on: channel, live: &live, receipt: nil)
        guard let record = try transaction.thread(conversation.id, of: owner.number) else {
            throw ChatError.unknownThread(conversation.id)
        }
        (self.transaction, self.owner, self.record) = (transaction, owner, record)
    }

    /// - Parameter picture: the id of an upload of the desk, for an answer that shows one.
    mutating func play(_ step: DemoConversation.Step, live: inout LiveChatWork, picture: String?) throws {
        let person = DemoConversation.person
        transaction.actor = step.isOfCustomer ? Author(owner.customer) : Author(person)
        switch step {
        case .customer(let text, let postback):
            question = (text, postback)
            parent = nil
            try send(MessageDraft(text: text, postback: postback), by: .customer(owner), live: &live)
        case .bot:
            parent = nil
            let answer = DemoAnswer(to: question.text, postback: question.postback, now: transaction.now)
            if !answer.handsOver { try transaction.markReadByDesk(&record) }
            try answer.sendAnswer(in: &record, replyingTo: nil, picture: picture, transaction, &live)
        case .take:
            try live.assign(&record, by: person, in: transaction)
            try transaction.markReadByDesk(&record)
        case .person(let text):
            parent = nil
            try send(MessageDraft(text: text), by: .agent(person), live: &live)
        case .reply(let text, let byCustomer):
            parent = parent ?? last
            let draft = MessageDraft(text: text, parentID: parent, alsoInThread: false)
            try send(draft, by: byCustomer ? .customer(owner) : .agent(person), live: &live)
        case .read: try transaction.markRead(&record, by: owner.number)
        case .close: try live.close(&record, in: transaction)
        }
    }

    private mutating func send(_ draft: MessageDraft, by party: MessageWork.Party, live: inout LiveChatWork) throws {
        let outcome = try MessageWork(transaction: transaction, party: party)
            .send(draft, to: &record, live: &live, receipt: nil)
        if draft.parentID == nil { last = outcome.id }
    }
}
