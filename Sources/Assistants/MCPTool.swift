import ChatModel
import Formats
import Gateway
import HTTPRouting

/// One thing that an assistant can do.
struct MCPTool: Sendable {
    /// What it does to the world: the annotations by which a host decides whether to ask its user.
    enum Effect: Sendable {
        case read
        /// - Parameters:
        ///   - isIdempotent: a repetition changes nothing more.
        ///   - isSeen: the other side of the chat sees it.
        case write(isIdempotent: Bool, isSeen: Bool)
        /// It ends something. The tool wants `confirm`.
        case end
    }

    let name: String
    let title: String
    /// For the model. It holds nothing that a customer wrote.
    let summary: String
    let effect: Effect
    /// JSON Schema of the arguments' object.
    let input: String
    /// JSON Schema of the result's object.
    let output: String
    let run: @Sendable (JSONValue) async throws -> ToolResult
    /// Whether a call may take as long as its caller likes, and can be cancelled meanwhile.
    private(set) var isWaiting = false
    /// The scope that it needs besides those of its side; nil for none.
    private(set) var scope: Scope?

    /// The same tool, whose calls wait.
    var waiting: MCPTool {
        var tool = self
        tool.isWaiting = true
        return tool
    }

    /// The same tool, for those alone who have the scope.
    func needing(_ scope: Scope) -> MCPTool {
        var tool = self
        tool.scope = scope
        return tool
    }

    init<Arguments: RequestBody & SendableMetatype>(
        _ name: String, _ title: String, _ effect: Effect, _ summary: String, input: String, output: String,
        run: @escaping @Sendable (Arguments) async throws -> ToolResult
    ) {
        self.name = name
        self.title = title
        self.effect = effect
        self.summary = summary
        // A message is one line, and in these texts a line feed is white space only.
        self.input = input.replacing("\n", with: "")
        self.output = output.replacing("\n", with: "")
        // Some clients add members of their own to the arguments. They change nothing.
        self.run = { try await run(try ObjectReader.read($0, ignoringUnknown: true)) }
    }

    var isReading: Bool { if case .read = effect { true } else { false } }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", name)
        json.member("title", title)
        json.member("description", summary)
        json.name("inputSchema")
        json.raw(Array(input.utf8))
        json.name("outputSchema")
        json.raw(Array(output.utf8))
        json.name("annotations")
        json.beginObject()
        json.member("title", title)
        json.member("readOnlyHint", isReading)
        switch effect {
        case .read: json.member("openWorldHint", false)
        case .write(let isIdempotent, let isSeen):
            json.member("destructiveHint", false)
            json.member("idempotentHint", isIdempotent)
            json.member("openWorldHint", isSeen)
        case .end:
            json.member("destructiveHint", true)
            json.member("idempotentHint", true)
            json.member("openWorldHint", true)
        }
        json.endObject()
        json.endObject()
    }
}

/// What a tool has found or done.
struct ToolResult: Sendable {
    /// A JSON object, as the tool's schema says.
    let json: [UInt8]
    /// Whether somebody else's words can be in it.
    let isQuoting: Bool

    /// - Parameter write: writes the object's members.
    init(isQuoting: Bool = true, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        write(&json)
        json.endObject()
        self.json = json.bytes
        self.isQuoting = isQuoting
    }

    /// The result's members, for the answer to `tools/call`.
    func encode(to json: inout JSONWriter, mark: String) {
        let text = String(decoding: self.json, as: UTF8.self)
        Self.content(isQuoting ? QuotedText.between(mark, text) : text, to: &json)
        json.name("structuredContent")
        json.raw(self.json)
        json.member("isError", false)
    }

    /// The same for a call that failed. The model reads it and can do better.
    static func encode(_ failure: ToolFailure, to json: inout JSONWriter) {
        content(failure.text, to: &json)
        json.member("isError", true)
    }

    private static func content(_ text: String, to json: inout JSONWriter) {
        json.name("content")
        json.beginArray()
        json.beginObject()
        json.member("type", "text")
        json.member("text", text)
        json.endObject()
        json.endArray()
    }
}
