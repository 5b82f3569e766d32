import Chat
import ChatModel
import ChatStore

/// What `parley serve --demo` shows: two channels of its own, some conversations in them, and a bot that answers there.
///
/// It changes nothing outside these channels, and answers nobody there.
public struct Demonstration: Sendable {
    /// Whose conversations are there from the beginning. A client that acts for this customer sees them.
    public static let customer = Customer(id: "ada", firstName: "Ada")
    /// The ids of its channels, one with many conversations and one for live chats.
    public static let channels = DemoChannels.all.map(\.id)

    /// Answers in the channels. It hears everything from now on, also before it runs.
    public let bot: DemoBot

    /// Makes the channels and the conversations, each once in the life of a database. What was changed or removed
    /// since then stays as it is. A conversation is there as a whole or not at all: what an error has left out is
    /// made the next time.
    ///
    /// Throws `channelExists` when somebody else has made a channel with one of the ids: then nothing was changed. Also
    /// throws what the store throws.
    ///
    /// - Parameters:
    ///   - clock: measures the bot's pauses; tests pass a clock that they move.
    ///   - sha256: the digest of a file's bytes.
    public init(
        of service: LocalService, clock: any Clock<Duration>, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) async throws(ChatError) {
        let live = service.desk.live
        let pictures = DemoPictures(store: live.store, sha256: sha256)
        try await Self.makeChannels(live.store)
        for conversation in DemoConversation.all {
            if try await live.store.read({ try $0.isDone(conversation.mark) }) { continue }
            let upload = conversation.showsPicture ? try pictures.upload() : nil
            try await live.write(with: upload) { transaction, live, picture in
                try transaction.markDone(conversation.mark)
                var stage = try DemoStage(conversation, in: transaction, live: &live)
                for step in conversation.steps { try stage.play(step, live: &live, picture: picture) }
            }
        }
        bot = DemoBot(desk: service.desk, pictures: pictures, clock: clock)
    }

    private static func makeChannels(_ store: ChatStore) async throws(ChatError) {
        try await store.write { transaction in
            guard try !transaction.isDone("demo.channels") else { return }
            try transaction.markDone("demo.channels")
            for draft in DemoChannels.all { _ = try transaction.createChannel(draft) }
        }
        // Databases of earlier versions have the channel without it.
        try await store.write { transaction in
            guard try !transaction.isDone("demo.public") else { return }
            try transaction.markDone("demo.public")
            guard var channel = try transaction.channel(DemoChannels.shop, of: LocalService.serviceID) else { return }
            var visitors = VisitorSettings()
            visitors.isPublic = true
            var appearance = Appearance()
            (appearance.colour, appearance.name) = ("#2f5d3a", "Tents and boots")
            channel.visitors = channel.visitors ?? visitors
            channel.appearance = channel.appearance ?? appearance
            try transaction.save(channel, of: LocalService.serviceID)
        }
    }
}

/// The channels of the demonstration. Their ids are stored, so they never change.
enum DemoChannels {
    static let shop = "demo", live = "demo-live"

    static let all: [ChannelDraft] = {
        var draft = ChannelDraft(id: shop, name: "Demo shop", mode: .multithread)
        draft.settings.welcomeMessage = """
            Hello {{customer.firstName|there}}! Ask about an order, a return, an appointment or our opening hours. You \
            can also ask for a person.
            """
        var liveDraft = ChannelDraft(id: live, name: "Demo shop, live chat", mode: .liveChat)
        liveDraft.settings.preChatSurvey = PreChatSurvey(
            name: "Before we begin",
            fields: [
                CustomFieldDefinition(
                    ident: "topic", label: "What is it about?", kind: .list, isRequired: true,
                    options: [
                        .init(id: "order", label: "An order"), .init(id: "return", label: "A return"),
                        .init(id: "other", label: "Something else"),
                    ]),
                CustomFieldDefinition(ident: "order", label: "Order number, if you have one", kind: .text),
            ])
        return [draft, liveDraft]
    }()
}
