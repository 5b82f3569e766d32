import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// What a call of a program says beside the deed that the embedded service does for it. It is kept in the deed's own unit,
/// so that neither is there without the other, and no webhook tells half of it.
struct DeedContext: Sendable {
    var inviter: String?
    /// Whether who comes has come by themselves.
    var isJoining = false
    /// Of the channel that the call makes or changes.
    var channel: (@Sendable (inout ChannelExtras) -> Void)?
    /// Of the message that it sends or changes.
    var message: (@Sendable (inout MessageExtras) -> Void)?

    @TaskLocal static var current = DeedContext()
}

extension SendbirdSandbox {
    /// Hears from now on what is done in the channel, by whomever.
    func hearDeeds() {
        store.hear { [weak self] in
            let (sandbox, context) = (self, DeedContext.current)
            return { deeds, transaction in try sandbox?.hear(deeds, context, in: transaction) }
        }
    }

    private func hear(_ all: [Deed], _ context: DeedContext, in transaction: WriteTransaction) throws {
        let deeds = try all.filter { try isOfChannel($0, in: transaction) }
        if deeds.isEmpty { return }
        for deed in deeds { try keep(context, beside: deed, in: transaction) }
        try WebhookTeller(self, in: transaction)?.tell(deeds, context)
        try BotTeller(self, in: transaction)?.tell(deeds)
    }

    /// The desk must know the thread when the unit ends.
    private func isOfChannel(_ deed: Deed, in transaction: ReadTransaction) throws -> Bool {
        let (record, key) = (deed.thread, deed.thread.owner.key)
        guard key.service == LocalService.serviceID, key.channel == channel else { return false }
        if record.isKnownToDesk { return true }
        if case .threadRemoved = deed { return false }
        return try transaction.threads(numbered: [record.number]).first?.isKnownToDesk == true
    }

    private func keep(_ context: DeedContext, beside deed: Deed, in transaction: WriteTransaction) throws {
        switch deed {
        case .threadMade(let record), .threadChanged(let record, _, _):
            guard let work = context.channel else { return }
            try transaction.change(ChannelExtras.self, of: .thread(record.number)) { work(&$0) }
        case .messageChanged(_, _, let changes) where !changes.contains("text") && !changes.contains("customType"):
            return
        case .messageSent(let message, _), .messageChanged(let message, _, _):
            guard let work = context.message else { return }
            try transaction.change(MessageExtras.self, of: .message(message.number)) { work(&$0) }
        case .messageRemoved(let message, let record):
            let author = message.message.author
            let removed = RemovedMessages.Item(
                id: message.number, type: SendbirdMessageType(message.message),
                sender: author.kind == .customer ? author.id : nil,
                at: UnixMilliseconds(message.message.createdAt), removedAt: UnixMilliseconds(transaction.now))
            try transaction.change(RemovedMessages.self, of: .thread(record.number)) { $0.add(removed) }
        case .threadRemoved: return
        }
    }
}
