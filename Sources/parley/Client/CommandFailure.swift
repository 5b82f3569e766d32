import Formats

/// Why a command ends without success: its exit status, and what is told about it.
struct CommandFailure: Error {
    /// What the exit status says.
    enum Status: Int32 {
        /// The gateway refused.
        case refused = 1
        /// The command was used wrongly.
        case usage = 64
        /// No gateway answers.
        case unreachable = 69
        /// Another try may succeed.
        case temporary = 75
        /// The token is missing, or does not open this.
        case noPermission = 77
        /// The time of `wait` is over, as with `timeout`.
        case timedOut = 124
    }

    var status: Status
    /// The code of the gateway's problem, or one of the command's own.
    let code: String
    /// What happened, and the next step, in sentences.
    var message: String
    /// One line of JSON that says the same: the gateway's problem as it came, or one of the command's own.
    var json: [UInt8]

    /// A failure that the command found by itself.
    init(_ status: Status, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("code", code)
        writer.member("detail", message)
        writer.endObject()
        json = writer.bytes
    }

    /// A wrong use of the command.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, code: "usage", message) }

    /// An answer that is not 2xx.
    ///
    /// - Parameter body: a problem (RFC 9457); whatever else it is, its status counts.
    init(status answer: Int, body: [UInt8]) {
        let status: Status =
            switch answer {
            case 401, 403: .noPermission
            case 429, 503, 504: .temporary
            default: .refused
            }
        guard let problem = try? JSONText(body).root, let code = problem["code"]?.string else {
            self.init(status, code: "httpStatus", "The gateway answered with status \(answer).")
            return
        }
        var message =
            problem["detail"]?.string ?? problem["title"]?.string ?? "The gateway answered with status \(answer)."
        message = Self.sentence(message)
        for error in problem["errors"]?.elements ?? [] {
            let detail = error["detail"]?.string ?? error["code"]?.string ?? ""
            // The problem's own words are often those of its first fault.
            if message.contains(detail) {
                // They need not name the parameter of the query that is meant.
                let name = error["pointer"]?.string.flatMap { $0.hasPrefix("?") ? String($0.dropFirst()) : nil }
                if let name, !message.contains(name) { message = "\(name): \(message)" }
                continue
            }
            message += " \(error["pointer"]?.string ?? ""): \(Self.sentence(detail))"
        }
        message += " (\(code))"
        if let seconds = problem["retryAfter"]?.number { message += " Try again in \(seconds) s." }
        if let step = Self.nextStep(after: code) { message += " \(step)" }
        self.init(status, code: code, message)
        json = body.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }

    /// The text with a full stop, if it has no end of its own.
    private static func sentence(_ text: String) -> String {
        guard let last = text.unicodeScalars.last, !".!?:".unicodeScalars.contains(last) else { return text }
        return text + "."
    }

    /// What to do about a problem.
    private static func nextStep(after code: String) -> String? {
        switch code {
        case "unauthorized": "Give a token: name the data folder with --data, or a file with --token-file."
        case "forbidden": "This needs the gateway's own token: name the data folder with --data."
        case "insufficientScope": "Use a key that has the scope, or the gateway's own token: --data."
        case "unknownKey": "parley key lists the keys."
        case "unknownSession": "parley sessions lists the sessions."
        case "unknownThread": "parley threads SESSION lists a session's threads, parley desk threads those of the desk."
        case "unknownChannel", "invalidChannel": "parley desk channels lists the channels."
        case "missingPreChatCustomFields":
            "The channel asks for answers first: parley api POST v1/sessions/SESSION/threads -f customFields:='{...}'"
        default: nil
        }
    }
}
