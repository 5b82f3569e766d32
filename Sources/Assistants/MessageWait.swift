import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// Waits for messages of the other side. It is bounded, blocks no other request, and consumes nothing: whoever has the
/// cursor can wait from there again.
struct MessageWait: Sendable {
    let core: GatewayCore
    let scope: StreamScope
    /// In whose share of the pages that wait it stands.
    let holder: Holder
    /// The direction of the messages that are waited for.
    let direction: MessageDirection

    /// What `wait_for_message` takes besides the chat.
    struct Arguments: RequestBody {
        let chat: ChatHandle?
        /// A cursor; nil for from now on.
        let after: String?
        let seconds: Int

        init(reading object: inout ObjectReader) {
            chat = object.optionalChat()
            after = object.optionalString("after", length: 1...64)
            seconds = object.optionalInteger("timeoutSeconds", in: 0...Self.longest) ?? Self.usual
        }

        /// Hosts give up after 30 to 60 seconds.
        static let (usual, longest) = (25, 50)
    }

    /// - Parameters:
    ///   - isWanted: which chats count.
    ///   - names: whether each message says its chat.
    func wait(
        _ arguments: Arguments, isWanted: @escaping @Sendable (ThreadOwner, String) -> Bool, names: Bool = true
    ) async throws -> ToolResult {
        let direction = direction
        let page = try await core.page(
            of: scope, EventFilter([EventType.messageCreated.rawValue]), limit: 20,
            from: arguments.after.map(FeedStart.after) ?? .now, wait: .seconds(arguments.seconds), as: holder
        ) { event in
            guard let owner = event.owner, let created = try? MessageCreatedEvent(canonicalJSON: event.data) else {
                return false
            }
            return created.message.value.direction == direction && isWanted(owner, created.threadID)
        }
        let bytes = [UInt8(ascii: "[")] + page.items + [UInt8(ascii: "]")]
        let messages = try (JSONParser.parse(bytes).array ?? []).map { item in
            let data = item["data"] ?? .null
            var view = MessageView(message: try Message(json: data["message"] ?? .null))
            if names {
                view.chat = ChatHandle(
                    channel: try data.requiredString("channel"),
                    customer: try (data["customer"] ?? .null).requiredString("id"),
                    thread: try data.requiredString("threadId"))
            }
            return view
        }
        let cursor = Cursor(epoch: core.store.feed.epoch, offset: page.position)
        return ToolResult { json in
            json.name("messages")
            json.beginArray()
            for message in messages { message.encode(to: &json) }
            json.endArray()
            json.member("cursor", cursor.description)
            json.member("timedOut", page.isEmpty)
            if page.reset != nil { json.member("missed", true) }
        }
    }
}
