import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// The chats as resources: a transcript as text, and the chat as JSON; and prompts about one chat.
struct ChatResources: Sendable {
    let seat: DeskSeat

    /// How many chats the list has, and how many messages a transcript begins with.
    private static let (listed, shown) = (100, 100)
    /// Bytes of texts in a transcript; older messages are left out.
    private static let limit = 256 << 10

    /// Writes the members of the result. False for a method of something else.
    func answer(_ message: RPCMessage, _ json: inout JSONWriter, isStateless: Bool) async throws -> Bool {
        switch message.method {
        case "resources/list":
            let (views, _) = try await seat.chats(
                ThreadQuery(state: .open), PageRequest(limit: Self.listed, cursor: nil))
            json.name("resources")
            json.beginArray()
            for view in views { encode(view, &json) }
            json.endArray()
        case "resources/templates/list":
            json.name("resourceTemplates")
            json.raw(
                """
                [{"uriTemplate":"parley://chats/{chat}","name":"chat","title":"A chat",\
                "description":"The transcript of a chat, by its handle"}]
                """)
        case "resources/read": try await read(message, &json, isStateless)
        case "prompts/list":
            json.name("prompts")
            json.beginArray()
            for prompt in ChatPrompt.allCases { prompt.encode(to: &json) }
            json.endArray()
        case "prompts/get": try await prompt(message, &json)
        default: return false
        }
        return true
    }

    /// The chat that `uri` names. Throws `invalidParams`.
    func chat(_ params: JSONValue) throws(RPCError) -> ChatHandle {
        guard let chat = params["uri"]?.string.flatMap({ ChatHandle(uri: $0) }), seat.reaches(chat.channel) else {
            throw RPCError(.invalidParams, "There is no such resource.")
        }
        return chat
    }

    private func encode(_ view: ChatView, _ json: inout JSONWriter) {
        json.beginObject()
        json.member("uri", view.handle.uri)
        json.member("name", "chat \(view.handle.text)")
        json.member("mimeType", "text/plain")
        json.name("annotations")
        json.beginObject()
        json.member("lastModified", view.thread.lastActivityAt)
        json.endObject()
        json.endObject()
    }

    private func read(_ message: RPCMessage, _ json: inout JSONWriter, _ isStateless: Bool) async throws {
        do {
            let chat = try chat(message.params)
            let (view, messages) = try await whole(chat)
            let transcript = ChatTranscript(view: view, messages: messages, mark: mark)
            json.name("contents")
            json.beginArray()
            for (type, text) in [("text/plain", transcript.text), ("application/json", transcript.json)] {
                json.beginObject()
                json.member("uri", chat.uri)
                json.member("mimeType", type)
                json.member("text", text)
                json.endObject()
            }
            json.endArray()
        } catch let error where Self.isMissing(error) {
            throw RPCError(isStateless ? .invalidParams : .unknownResource, "There is no such resource.")
        }
    }

    private static func isMissing(_ error: any Error) -> Bool {
        switch error {
        case let error as ChatError: error.code == .unknownThread
        case let error as RPCError: error.code == .invalidParams
        case let failure as ToolFailure: failure.code == "unknownThread"
        default: false
        }
    }

    private func prompt(_ message: RPCMessage, _ json: inout JSONWriter) async throws {
        guard let prompt = message.params["name"]?.string.flatMap(ChatPrompt.init) else {
            throw RPCError(.invalidParams, "There is no such prompt.")
        }
        guard let chat = message.params["arguments"]?["chat"]?.string.flatMap({ ChatHandle($0) }) else {
            throw RPCError(.invalidParams, "The argument chat must be the handle of a chat.")
        }
        let transcript: ChatTranscript
        do {
            let (view, messages) = try await whole(chat)
            transcript = ChatTranscript(view: view, messages: messages, mark: mark)
        } catch let error where Self.isMissing(error) {
            throw RPCError(.invalidParams, "There is no such chat.")
        }
        json.member("description", prompt.title)
        json.name("messages")
        json.beginArray()
        json.beginObject()
        json.member("role", "user")
        json.name("content")
        json.beginObject()
        json.member("type", "text")
        json.member("text", "\(prompt.task)\n\n\(transcript.text)")
        json.endObject()
        json.endObject()
        json.endArray()
    }

    private var mark: String { QuotedText.mark(seat.core.environment) }

    /// The chat with its newest messages, as many as a transcript may have.
    private func whole(_ chat: ChatHandle) async throws -> (view: ChatView, messages: [Message]) {
        let view = try await seat.view(chat)
        var (messages, _) = try await seat.messages(chat, PageRequest(limit: Self.shown, cursor: nil))
        var size = messages.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
        while size > Self.limit, messages.count > 1 { size -= messages.removeFirst().text?.utf8.count ?? 0 }
        return (view, messages)
    }
}

/// What a user can ask for about a chat.
enum ChatPrompt: String, CaseIterable {
    case answer, summarize, handOverNote = "hand_over_note"

    var title: String {
        switch self {
        case .answer: "Draft an answer"
        case .summarize: "Summarize a chat"
        case .handOverNote: "Write a note for the next agent"
        }
    }

    var task: String {
        switch self {
        case .answer:
            "Draft the next answer to the customer of this chat, in the customer's language. Do not send it: show it to me first."
        case .summarize: "Summarize this chat: what the customer wants, what was said, what is open."
        case .handOverNote:
            "Write a note of at most five sentences for the agent who takes this chat over: what the customer wants, what was tried, what comes next."
        }
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", rawValue)
        json.member("title", title)
        json.name("arguments")
        json.raw(#"[{"name":"chat","description":"The handle of a chat, as list_chats gives it","required":true}]"#)
        json.endObject()
    }
}
