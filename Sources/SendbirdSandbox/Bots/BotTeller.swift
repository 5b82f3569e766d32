import ChatModel
import ChatStore
import SendbirdWire

/// Calls bots, in the unit of what they are told of.
struct BotTeller {
    private let sandbox: SendbirdSandbox
    private let transaction: WriteTransaction

    /// Nil if no bot is called, so that nobody's account is read for them.
    init?(_ sandbox: SendbirdSandbox, in transaction: WriteTransaction) throws {
        let targets = try transaction.targetPage(of: .callback, PageRequest(limit: 1, cursor: nil))
        guard let first = targets.items.first, first.id != sandbox.callbackID || targets.next != nil else { return nil }
        (self.sandbox, self.transaction) = (sandbox, transaction)
    }

    func tell(_ deeds: [Deed]) throws {
        // Who comes while a thread is made has come with it.
        var made: Set<Int64> = []
        for case .threadMade(let record) in deeds where made.insert(record.number).inserted {
            try tell(.join, joined(record.members).sorted(), of: record)
        }
        for deed in deeds {
            switch deed {
            case .threadMade: continue
            case .threadChanged(let record, _, let before):
                let (old, new) = (joined(before), joined(record.members))
                if made.contains(record.number) || old == new { continue }
                try tell(.join, new.subtracting(old).sorted(), of: record)
                try tell(.leave, old.subtracting(new).sorted(), of: record)
            case .messageSent(let message, let record):
                try tell(message, in: record)
            case .threadRemoved, .messageChanged, .messageRemoved: continue
            }
        }
    }

    /// The accounts of members. Who is invited is none yet.
    private func joined(_ members: [MemberRecord]) -> Set<Int64> {
        Set(members.lazy.filter { $0.state == .joined }.map(\.account))
    }

    /// A bot's own messages make no callback.
    private func tell(_ message: MessageRecord, in record: ThreadRecord) throws {
        let shape = try transaction.shape(of: message, in: record, at: "")
        for member in record.members where member.state == .joined {
            guard let found = try bot(member.account), found.bot.id != shape.sender?.id else { continue }
            let isMeant =
                shape.text.utf8.first == UInt8(ascii: "/") || shape.mentioned.contains { $0.id == found.bot.id }
            guard isMeant || !found.bot.isPrivate else { continue }
            try tell(.message(shape), found.bot, of: record, message: message.number)
        }
    }

    private func tell(_ event: BotCallback.Event, _ accounts: [Int64], of record: ThreadRecord) throws {
        for account in accounts {
            if let found = try bot(account) { try tell(event, found.bot, of: record, message: nil) }
        }
    }

    /// The account with its bot. Nil if it is no bot, or if the bot has no callback URL.
    private func bot(_ number: Int64) throws -> (account: AccountRecord, bot: SendbirdBot)? {
        let account = try transaction.account(number), extras = try transaction.extras(of: account)
        guard let bot = extras.bot, !bot.callbackURL.isEmpty else { return nil }
        return (account, sandbox.shape(of: (account, extras, bot)))
    }

    private func tell(
        _ event: BotCallback.Event, _ bot: SendbirdBot, of record: ThreadRecord, message: Int64?
    ) throws {
        var view = ChannelView(origin: "")
        view.hasLastMessage = false
        let members = try record.members.map {
            try transaction.person(transaction.account($0.account).key.customer, in: sandbox)
        }
        let callback = BotCallback(
            event, to: bot, of: try transaction.shape(of: record, view, in: sandbox), members: members,
            at: UnixMilliseconds(transaction.now), applicationID: sandbox.applicationID)
        try transaction.log(
            CallbackEvent(threadID: record.thread.id, category: callback.category, body: callback.encoded), of: record,
            message: message, to: transaction.botAccount(bot.id, in: sandbox))
    }
}
