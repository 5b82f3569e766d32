import Chat
import ChatModel
import ChatStore
import Formats

/// A small bot that answers customers, so that one person can try the chat (`parley serve --demo`).
///
/// It reads the event log as the desk does, and acts through ``DeskService`` as an agent does.
public struct DemoBot: Sendable {
    /// The agent that the bot acts as. Its messages have `isBot` set on their author.
    public static let agent = Agent(id: "parley-bot", name: "Parley Bot", isBot: true)

    private let store: ChatStore
    private let desk: any DeskService
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - store: only its feed is read.
    ///   - desk: where the bot sends.
    ///   - clock: measures the pauses before an answer; tests pass a clock that they move.
    public init(store: ChatStore, desk: any DeskService, clock: any Clock<Duration>) {
        self.store = store
        self.desk = desk
        self.clock = clock
    }

    /// Answers until the task is cancelled. Each event is handled in a child task, so that one slow answer delays no
    /// other.
    ///
    /// The bot sees only events from now on. When it is slow, the newest 256 events are kept and older ones are
    /// dropped.
    public func run() async {
        let (events, continuation) = AsyncStream.makeStream(of: LogEvent.self, bufferingPolicy: .bufferingNewest(256))
        let subscription = store.feed.subscribe { news in
            for event in news where Self.answers.contains(event.type) && event.audiences.contains(.desk) {
                continuation.yield(event)
            }
        }
        defer { subscription.cancel() }
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                for await event in events {
                    group.addTask { await event.type == .threadCreated ? take(event) : answer(event) }
                }
                group.cancelAll()
            }
        } onCancel: {
            continuation.finish()
        }
    }

    /// The event types that the bot reacts to.
    private static let answers: Set<EventType> = [.messageCreated, .threadCreated]

    /// Assigns a live chat that waits in the queue to the bot after 1.5 seconds, and greets the customer.
    private func take(_ event: LogEvent) async {
        guard let data = try? JSONParser.parse(event.data(for: .desk)), let json = data["thread"],
            json["queuePosition"] != nil, let id = json["id"]?.string
        else { return }
        let thread = DeskThread(id: id, channel: json["channel"]?.string, customer: json["customer"]?["id"]?.string)
        do {
            try await clock.sleep(for: .milliseconds(1500))
            _ = try await desk.assign(Self.agent, to: thread, receipt: nil)
            _ = try await desk.send(
                MessageDraft(text: "Hello! How can I help?"), as: Self.agent, to: thread, receipt: nil)
        } catch {
            // Ended meanwhile, or the gateway stops.
        }
    }

    /// Marks a customer's message as read, shows typing for 0.9 seconds, and answers. Messages without text get no
    /// answer.
    private func answer(_ event: LogEvent) async {
        guard let data = try? JSONParser.parse(event.data(for: .desk)), let json = data["message"],
            let message = try? Message(json: json), message.direction == .toAgent, let text = message.text
        else { return }
        let thread = DeskThread(
            id: message.threadID, channel: data["channel"]?.string, customer: data["customer"]?["id"]?.string)
        do {
            try await clock.sleep(for: .milliseconds(400))
            _ = try await desk.markRead(thread, receipt: nil)
            try await desk.reportTyping(true, as: Self.agent, in: thread)
            try await clock.sleep(for: .milliseconds(900))
            try await desk.reportTyping(false, as: Self.agent, in: thread)
            _ = try await desk.send(answer(to: message, text), as: Self.agent, to: thread, receipt: nil)
        } catch {
            // The thread was closed meanwhile, or the gateway stops: nobody waits for a bot.
        }
    }

    /// The answer to a message. A reply is answered in the same reply thread, a message of the conversation in the
    /// conversation.
    private func answer(to message: Message, _ text: String) -> MessageDraft {
        MessageDraft(text: Self.reply(to: text), parentID: message.parentID, alsoInThread: message.alsoInThread)
    }

    /// The text of an answer. It depends on nothing but the customer's text, so tests know it in advance.
    static func reply(to text: String) -> String {
        let words = text.lowercased()
        if ["hello", "hi", "hallo", "hey"].contains(where: { words.hasPrefix($0) }) {
            return "Hello! I am a bot. Write anything, and I will answer."
        }
        if words.hasSuffix("?") { return "That is a good question. A person at the desk could answer it." }
        return "You wrote: \(text.prefix(200))"
    }
}
