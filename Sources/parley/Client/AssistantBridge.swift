import ArgumentParser
import Formats
import Foundation
import Synchronization

/// Carries messages of the Model Context Protocol between a host's pipes and the gateway: each line of the input is one
/// request over HTTP, and each message of its answer is one line of the output. All that a message means is the
/// gateway's.
final class AssistantBridge: Sendable {
    private let client: GatewayClient
    /// With the query.
    private let path: String

    private struct State {
        /// The sockets of the requests that are under way, by the text of their ids; nil before it is connected.
        var running: [[UInt8]: Int32?] = [:]
        /// The name by which the gateway knows a client of 2025.
        var session: String?
        /// Whether the stream of changes is open, or asked for.
        var isFollowing = false
    }
    private let state = Mutex(State())
    private let output = Mutex(())
    /// Requests that the input's end waits for.
    private let answers = DispatchGroup()

    /// Requests that may be under way at the same time.
    private static let limit = 64

    init(_ client: GatewayClient, path: String) { (self.client, self.path) = (client, path) }

    /// Runs until the input ends; what is under way then has five seconds to end.
    func run() {
        var input = LineInput()
        while let lines = input.read() {
            for line in lines where !line.allSatisfy(\.isWhitespace) { handle(BridgedMessage(line)) }
        }
        _ = answers.wait(timeout: .now() + 5)
    }

    private func handle(_ message: BridgedMessage) {
        if let cancelled = message.cancelled { return cancel(cancelled) }
        if let id = message.id {
            let isFull = state.withLock { state in
                if state.running.count >= Self.limit { return true }
                state.running[id] = .some(nil)
                return false
            }
            if isFull { return fail(message, "Too many requests are under way.") }
        }
        answers.enter()
        Thread.detachNewThread { [self] in post(message) }
    }

    /// Closes the connection of a request, which then gets no answer.
    private func cancel(_ id: [UInt8]) {
        state.withLock { state in
            if case .some(.some(let descriptor)) = state.running.removeValue(forKey: id) {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Forgets a request, before its socket is closed. False when it was cancelled.
    private func finish(_ message: BridgedMessage) -> Bool {
        guard let id = message.id else { return true }
        return state.withLock { $0.running.removeValue(forKey: id) != nil }
    }

    private func post(_ message: BridgedMessage) {
        var isWaitedFor = true
        defer { if isWaitedFor { answers.leave() } }
        do throws(CommandFailure) {
            let session = state.withLock { $0.session }
            let (connection, head) = try client.open(
                "POST", path, headers: message.headers + (session.map { [("Mcp-Session-Id", $0)] } ?? []),
                body: message.bytes
            ) { descriptor in
                guard let id = message.id else { return }
                state.withLock { state in
                    // Cancelled before: there is nothing to wait for.
                    if state.running[id] == nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
                    state.running[id] = state.running[id].map { _ in descriptor }
                }
            }
            // Keeps the socket open until it is forgotten.
            defer { withExtendedLifetime(connection) {} }
            if head["Content-Type"]?.hasPrefix("text/event-stream") == true {
                if message.isEndless {
                    answers.leave()
                    isWaitedFor = false
                }
                let isAnswered = try relay(connection)
                if finish(message), !isAnswered { fail(message, "The gateway ended the stream without an answer.") }
                return
            }
            let body = try client.rest(of: connection)
            guard finish(message) else { return }
            if body.isEmpty { return }
            guard let answer = try? JSONText(body), answer.root["jsonrpc"] != nil else {
                throw CommandFailure(status: head.status, body: body)
            }
            // Before the client has the answer: its next message belongs to the session already.
            if let name = head["Mcp-Session-Id"] { follow(name) }
            write(body)
        } catch {
            if finish(message) || message.id == nil { fail(message, error.message) }
        }
    }

    /// Writes the messages of a stream, until it ends. Returns whether an answer was among them. Throws
    /// ``CommandFailure``.
    private func relay(_ connection: GatewayConnection) throws(CommandFailure) -> Bool {
        var parser = FeedParser()
        var isAnswered = false
        do {
            while let piece = try connection.body() {
                try parser.add(piece)
                while let event = parser.next() {
                    write(event.data)
                    if !isAnswered { isAnswered = (try? JSONText(event.data))?.root["id"] != nil }
                }
                if piece.isEmpty { _ = connection.wait(until: nil) }
            }
        } catch {
            throw CommandFailure(.unreachable, code: "brokenStream", "The stream broke.")
        }
        return isAnswered
    }

    /// Remembers the session of a client of 2025, and opens the stream on which it hears of its resources.
    private func follow(_ session: String) {
        let isFirst = state.withLock { state in
            state.session = session
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isFirst { Thread.detachNewThread { [self] in keepFollowing(session) } }
    }

    /// Opens the stream again when it breaks, later and later as long as that fails. A refusal ends it.
    private func keepFollowing(_ first: String) {
        var pauses = BridgePauses()
        while true {
            let session = state.withLock { $0.session } ?? first
            do throws(CommandFailure) {
                let (connection, head) = try client.open("GET", path, headers: [("Mcp-Session-Id", session)])
                guard head.status == 200 else {
                    let failure = CommandFailure(status: head.status, body: try client.rest(of: connection))
                    if isOver(head.status, session) { return stopFollowing(head.status, failure) }
                    throw failure
                }
                pauses = BridgePauses()
                _ = try relay(connection)
                Thread.sleep(forTimeInterval: Double(pauses.next()))
            } catch {
                let pause = pauses.next()
                writeError("\(error.message) Changes of resources are asked for again in \(pause) s.")
                Thread.sleep(forTimeInterval: Double(pause))
            }
        }
    }

    /// Whether the same question would have the same answer. The client may have opened another session meanwhile.
    private func isOver(_ status: Int, _ session: String) -> Bool {
        400..<500 ~= status && status != 429 && state.withLock { $0.session } == session
    }

    /// The next session gets a stream of its own; but where there are no resources (405), none.
    private func stopFollowing(_ status: Int, _ failure: CommandFailure) {
        if status == 405 { return }
        state.withLock { $0.isFollowing = false }
        writeError("\(failure.message) Changes of resources are not told any more.")
    }

    /// Standard output has messages alone.
    private func writeError(_ text: String) {
        StandardStreams.writeError("parley: \(text.shownSafely)\n")
    }

    /// Answers a request that the gateway could not answer. A notification has no answer.
    private func fail(_ message: BridgedMessage, _ reason: String) {
        guard let id = message.id else { return }
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.name("id")
        json.raw(id)
        json.name("error")
        json.beginObject()
        json.member("code", -32603)
        json.member("message", reason)
        json.endObject()
        json.endObject()
        write(json.bytes)
    }

    /// Writes one line. Nobody else writes meanwhile. A host that has closed the pipe wants no more answers.
    private func write(_ bytes: [UInt8]) {
        output.withLock { _ in
            if !Output.write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO) { exit(1) }
        }
    }
}

/// One line of a host, as far as the bridge has to know it.
private struct BridgedMessage: Sendable {
    let bytes: [UInt8]
    /// The JSON of the id; nil for a notification, and for a line that is no message.
    let id: [UInt8]?
    /// The JSON of the id of a request that is not to go on.
    let cancelled: [UInt8]?
    /// Whether its answer comes when the client wants to hear no more.
    let isEndless: Bool
    /// What HTTP repeats of the message.
    let headers: [(String, String)]

    init(_ line: String) {
        bytes = Array(line.utf8)
        var headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
        let text = try? JSONText(bytes)
        let (method, params) = (text?.root["method"]?.string, text?.root["params"])
        id = text?.root["id"].map { Array($0.bytes) }
        isEndless = method == "subscriptions/listen"
        cancelled =
            method == "notifications/cancelled" ? params?["requestId"].map { Array($0.bytes) } : nil
        if let version = params?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string {
            let name = method == "resources/read" ? params?["uri"]?.string : params?["name"]?.string
            for (header, value) in [("MCP-Protocol-Version", version), ("Mcp-Method", method), ("Mcp-Name", name)] {
                if let value { headers.append((header, Self.encoded(value))) }
            }
        }
        self.headers = headers
    }

    /// A header's value, in base64 unless it is plain ASCII.
    private static func encoded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !value.hasPrefix("=?")
        return isPlain ? value : "=?base64?\(Base64URL.encode(value.utf8))?="
    }
}

/// How long to wait before the next try, in seconds: twice as long each time, to a minute.
struct BridgePauses {
    private var pause = 2
    static let longest = 60

    mutating func next() -> Int {
        defer { pause = min(2 * pause, Self.longest) }
        return pause
    }
}

/// `parley mcp`: lets an assistant work with the gateway over its standard input and output.
struct ServeAssistant: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Let an assistant work at the desk, by the Model Context Protocol.",
        discussion: """
            Hosts of assistants start this command. It carries their messages to the gateway, which needs \
            parley serve --mcp read or --mcp write. Standard output has messages alone.
            """)

    @Flag(help: "Play a customer, to test the desk or a bot.") var customer = false
    @Flag(name: .customLong("read-only"), help: "Allow tools that only read.") var readOnly = false
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Who the assistant is: an agent's id, or with --customer a customer's.", valueName: "id"))
    var id: String?
    @Option(help: ArgumentHelp("The name that others see.", valueName: "name")) var name: String?
    @Option(
        help: ArgumentHelp("A channel whose chats it may reach; may be repeated. Without it, all.", valueName: "id"))
    var channel: [String] = []
    @OptionGroup var reach: ReachFlags

    var wantedOutput: OutputFormat? { .table }
    var isQuiet: Bool { true }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let query =
            [("as", id), ("name", name), ("access", readOnly ? "read" : nil)] + channel.map { ("channel", $0) }
        let pairs = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        let path = customer ? "/mcp/customer" : "/mcp"
        AssistantBridge(client, path: path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))).run()
    }
}
