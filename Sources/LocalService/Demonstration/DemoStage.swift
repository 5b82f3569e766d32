import Chat
import ChatModel
import ChatStore

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
            try answer.give(in: &record, replyingTo: nil, picture: picture, transaction, &live)
        case .take:
            try live.take(&record, by: person, in: transaction)
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
