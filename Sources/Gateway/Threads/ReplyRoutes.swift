import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The replies to a message, as the customer sees them. Replies are one level deep.
struct ReplyRoutes: RouteGroup {
    private static let list = "/v1/sessions/{session}/threads/{thread}/messages/{message}/replies"
    /// The parameters of a list of replies; at the desk others come in addition.
    static let query = ["from", "previous", "next", "inclusive", "reverse"]
    /// Those that may come several times; what they list adds up.
    static let lists = ["types", "customTypes", "senderIds"]

    var routes: [Route] {
        [
            Route(
                .get, Self.list, "listReplies", access: .session(.sessionsRead),
                query: .only(Self.query, repeatable: Self.lists),
                handler: .aside { call in
                    let request = try call.query.replies()
                    let client = try call.client()
                    return call.page(
                        try await client.replies(to: call.parameters["message"], in: call.parameters["thread"], request)
                    )
                }),
            Route(
                .post, Self.list, "sendReply", access: .session(.sessionsWrite), body: .json, idempotency: .carried,
                handler: .aside { call in
                    let draft = try call.replyBody(NewMessage.init).draft(of: call)
                    try call.checkLength(of: draft.text)
                    let client = try call.client()
                    return call.outcome(
                        try await call.reply {
                            try await client.send(draft, to: call.parameters["thread"], receipt: call.receipt)
                        })
                }
            ).located(at: Self.location).counted(as: .messages),
        ]
    }

    /// The path of a new reply. A reply is a message of the thread, so `.../messages/{message}/replies` becomes
    /// `.../messages/{reply}`.
    static func location(_ call: Call, _ id: String) -> String {
        let messages = call.request.path.split(separator: "/").dropLast(2)
        return messages.map { "/\($0)" }.joined() + "/\(id.percentEncoded)"
    }
}

/// `{"parentId"?,"alsoInThread"?}`: the members that make a message a reply.
struct ReplyMembers {
    let parentID: String?
    /// Whether the reply is also shown among the thread's messages; nil leaves it to the chat.
    let alsoInThread: Bool?

    /// - Parameter parent: the parent that the path names; then the body must not have `parentId`.
    init(reading object: inout ObjectReader, parent: String?) {
        parentID = parent ?? object.optionalID("parentId")
        alsoInThread = object.optionalBool("alsoInThread")
    }
}

extension Call {
    /// Reads the body of a reply to the message in the path. Throws one problem with all faults.
    func replyBody<T: RequestBody>(_ read: (inout ObjectReader, String?) -> T) throws -> T {
        var reader = ObjectReader(try json())
        let body = read(&reader, parameters["message"])
        reader.finish()
        if !reader.problems.isEmpty { throw Problem(items: reader.problems) }
        return body
    }

    /// Sends a reply to the message in the path. If there is no such message, the answer is 404, not the 422 that
    /// `parentId` in a body would get. Faults of the parent lose their pointer, because the body has no `parentId` to
    /// point to.
    func reply(_ send: () async throws -> Outcome) async throws -> Outcome {
        do {
            return try await send()
        } catch let error as ChatError where error.code == .unknownParent {
            throw ChatError.unknownMessage(parameters["message"])
        } catch let error as ChatError where error.pointer == "/parentId" {
            throw ChatError(error.code, error.detail)
        }
    }
}

extension QueryReader {
    /// The replies that are asked for: up to 200 before and after the time `from`. Throws `invalidParameter`.
    func replies() throws(Problem) -> ReplyRequest {
        var request = ReplyRequest()
        request.from = try time("from")
        request.previous = try count("previous", default: request.previous)
        request.next = try count("next", default: request.next)
        request.isInclusive = self["inclusive"] == nil ? true : try flag("inclusive")
        request.isReversed = try flag("reverse")
        request.types = try choices("types", of: MessageType.self).map(Array.init)
        request.customTypes = try list("customTypes")
        if request.customTypes?.allSatisfy({ (1...128).contains($0.unicodeScalars.count) }) == false {
            throw Problem.parameter("customTypes", "words of 1 to 128 characters, with commas between them, are needed")
        }
        request.senderIDs = try list("senderIds")
        return request
    }

    /// A time: milliseconds since 1970, or RFC 3339.
    private func time(_ name: String) throws(Problem) -> Timestamp? {
        if let number = self[name].flatMap({ Int64(digits: $0) }) { return Timestamp(milliseconds: number) }
        return try time(name, expected: "milliseconds since 1970 or an RFC 3339 time")
    }

    /// A number from 0 to 200. Throws `invalidParameter`.
    private func count(_ name: String, default fallback: Int) throws(Problem) -> Int {
        guard let text = self[name] else { return fallback }
        guard let number = Int(digits: text), (0...200).contains(number) else {
            throw Problem.parameter(name, "a number from 0 to 200 was expected")
        }
        return number
    }
}
