import Formats
import Foundation

/// A chat in a terminal: lines of standard input are sent, and messages of the other side are printed.
struct Conversation {
    let client: GatewayClient
    let output: Output
    /// The thread's path, to which parts such as `messages` are added by ``part``.
    let part: (String) -> String
    /// The path to which files are uploaded.
    let uploads: [String]
    let thread: String
    /// Whose events tell of the thread.
    let scope: FeedScope
    /// The messages of the other side go into this direction.
    let incoming: String
    /// Writes members of a message beside its content.
    var decorate: (inout JSONWriter) -> Void = { _ in }

    /// Shows the newest messages, then runs until the input ends or says `/quit`. Throws ``CommandFailure`` when the
    /// stream cannot go on; what a single message meets is told, and the chat goes on.
    func run() throws(CommandFailure) {
        let history = try Pages(client, part("messages"), count: 10)
        for message in history.items.reversed() { show(message) }
        output.note("/file PATH sends a file, /end ends a live chat, /quit leaves")
        // The list's place: no message is missed between the list and the stream.
        let following = try Following(client, scope, from: history.cursor.map(FeedStart.after) ?? .now, output: output)
        var input = LineInput()
        while true {
            switch try following.next(beside: (STDIN_FILENO, POLLIN)) {
            case .event(let event): take(event)
            case .other:
                guard let lines = input.read() else { return }
                for line in lines {
                    if line == "/quit" { return }
                    do throws(CommandFailure) { try obey(line) } catch { output.fail(error) }
                }
            case .deadline: break
            }
        }
    }

    private func take(_ event: FeedEvent) {
        guard event.type == "message.created", let data = (try? JSONText(event.data))?.root,
            data["threadId"]?.string == thread, let message = data["message"],
            message["direction"]?.string == incoming
        else { return }
        show(message)
    }

    private func show(_ message: JSONElement) {
        if output.format != .table {
            return output.list([message], bytes: Array(message.bytes), titles: []) { _ in [] }
        }
        // What is being typed stays in the terminal's line buffer; the message goes over its echo.
        let start = output.width != nil && isatty(STDIN_FILENO) == 1 ? "\r\u{1B}[K" : ""
        let author = "\(Transcript.author(message)):".shownSafely
        output.line(
            "\(start)\(output.isStyled ? TextStyle.bold.paint(author) : author) \(Transcript.text(message).shownSafely)"
        )
    }

    private func obey(_ line: String) throws(CommandFailure) {
        if line.isEmpty { return }
        if line == "/end" {
            _ = try client.post(part("end"))
            return output.note("the chat has ended")
        }
        var file: String?
        if line.hasPrefix("/file ") {
            file = try InputFile.upload(String(line.dropFirst(6)), client, to: uploads)
        } else if line.hasPrefix("/"), !line.hasPrefix("//") {
            throw .usage("There are /file PATH, /end and /quit. A message that begins with a slash needs a second one.")
        }
        _ = try client.post(part("messages")) { json in
            if let file {
                json.name("attachments")
                json.beginArray()
                json.beginObject()
                json.member("id", file)
                json.endObject()
                json.endArray()
            } else {
                json.member("text", line.hasPrefix("//") ? String(line.dropFirst()) : line)
            }
            decorate(&json)
        }
    }
}

/// Lines of standard input, read as they come.
struct LineInput {
    private var bytes: [UInt8] = []
    private var isEnded = false

    /// Reads what is there, once, and returns the complete lines; nil at the end of the input. What stands behind the
    /// last line end is the last line.
    mutating func read() -> [String]? {
        if isEnded { return nil }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
        bytes += piece[..<count]
        if count == 0 {
            isEnded = true
            if bytes.isEmpty { return nil }
            bytes.append(UInt8(ascii: "\n"))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        bytes.removeSubrange(...end)
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
