import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// The assistant's answer to a customer. It never speaks over another agent unknowingly.
extension DeskSeat {
    var sending: MCPTool {
        MCPTool(
            "send_message", "Send a message", .write(isIdempotent: false, isSeen: true),
            "Writes to the customer of a chat, under your name as a bot. latest is the newest message or note that you have read; if another agent has said something since, nothing is sent, and you are told what. With a messageId of your own, sending it again changes nothing. With ifAgent it is only sent while the chat is nobody's, yours, or one of both.",
            input: SendArguments.schema(also: "\(LatestArgument.properties),\(ConditionArgument.property)"),
            output: ResultSchemas.oneMessage
        ) { (arguments: DeskSendArguments) in
            let thread = try thread(arguments.message.chat)
            let terms = AnswerTerms(condition: arguments.condition.value, latest: arguments.latest.value)
            let outcome: Outcome
            do throws(ChatError) {
                outcome = try await desk.send(
                    arguments.message.draft, as: agent, to: thread, under: terms, receipt: nil)
            } catch {
                guard error.code == .answeredMeanwhile else { throw error }
                throw await answeredMeanwhile(error.faults.map(\.detail), in: thread)
            }
            return try SendArguments.result(outcome.body)
        }
    }

    /// The failure that says what other agents have said meanwhile.
    ///
    /// - Parameter ids: of messages and notes, the newest first.
    private func answeredMeanwhile(_ ids: [String], in thread: DeskThread) async -> ToolFailure {
        var said: [ToolFailure.Said] = []
        for id in ids.prefix(ToolFailure.mostSaid) {
            if let message = try? Message(canonicalJSON: await desk.message(id, in: thread).body) {
                said.append(.message(message))
            } else if let note = try? Note(canonicalJSON: await desk.note(id, of: thread).body) {
                said.append(.note(note))
            }
        }
        return ToolFailure(
            answeredMeanwhile: said.reversed(), newest: ids.first ?? "", mark: QuotedText.mark(core.environment))
    }
}

/// `latest`, or `sendAnyway`: what the assistant has read before it answers.
private struct LatestArgument {
    static let properties = #"""
        "latest":{"type":"string","description":"The newest message or note that you have read: latest of read_chat or list_chats, or the handle of a later message"},
        "sendAnyway":{"const":true,"description":"In place of latest: send, whatever others have said"}
        """#

    /// The id of the message or note; nil to send in any case.
    let value: String?

    init(reading object: inout ObjectReader) {
        let sendsAnyway = object.optionalBool("sendAnyway") ?? false
        let latest = object.optionalMessage("latest")
        value = sendsAnyway ? nil : latest
        if !sendsAnyway, latest == nil {
            object.reject("latest", "the newest message or note that you have read was expected, or sendAnyway: true")
        }
    }
}

/// What `send_message` takes at the desk.
private struct DeskSendArguments: RequestBody {
    let message: SendArguments
    let latest: LatestArgument
    let condition: ConditionArgument

    init(reading object: inout ObjectReader) {
        message = SendArguments(reading: &object)
        latest = LatestArgument(reading: &object)
        condition = ConditionArgument(reading: &object)
    }
}
