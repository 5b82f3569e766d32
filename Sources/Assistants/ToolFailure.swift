import Chat
import ChatModel
import Formats
import Gateway
import HTTPRouting

/// Why a call failed: a code and words that hold nothing of a customer.
struct ToolFailure: Error, Sendable {
    let code: String
    let text: String

    init(_ code: String, _ text: String) {
        self.code = code
        self.text = "\(code): \(text)"
    }

    /// A failure of the chat. Its detail can have ids in it, which customers choose; where it cannot, it is told.
    init(_ error: any Error) {
        switch error {
        case let failure as ToolFailure: self = failure
        case let problem as Problem:
            let faults = problem.items.map { "\($0.pointer.isEmpty ? "the arguments" : $0.pointer): \($0.detail)" }
            let words = faults.isEmpty ? problem.detail ?? problem.kind.title : faults.joined(separator: "; ")
            self.init(problem.kind.code, words)
        case let error as ChatError:
            let isPlain = [.invalidParameter, .textTooLong, .missingPreChatCustomFields].contains(error.code)
            self.init(error.code.rawValue, isPlain ? error.detail : ProblemKind(error.code).title)
        default: self.init("internalError", "The gateway failed.")
        }
    }
}

extension ToolFailure {
    /// What another agent has said.
    enum Said {
        case message(Message)
        case note(Note)
    }

    /// How much of it is told at most.
    static let mostSaid = 10

    /// Others have answered meanwhile. What they have said may quote a customer, so it stands between marks.
    ///
    /// - Parameters:
    ///   - said: the oldest first.
    ///   - newest: the id of the newest one.
    init(answeredMeanwhile said: [Said], newest: String, mark: String) {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginArray()
        for one in said {
            switch one {
            case .message(let message): MessageView(message: message).encode(to: &json)
            case .note(let note): NoteView(note).encode(to: &json)
            }
        }
        json.endArray()
        self.init(
            ChatError.Code.answeredMeanwhile.rawValue,
            """
            Other agents have said something since, and nothing was sent. Read it. If your answer still fits, send it \
            again with "latest":"\(MessageHandle.text(newest))".
            \(QuotedText.between(mark, String(decoding: json.bytes, as: UTF8.self)))
            """)
    }
}
