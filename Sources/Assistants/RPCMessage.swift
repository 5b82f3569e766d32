import Formats

/// One message from a client: a request of JSON-RPC 2.0, or a notification.
struct RPCMessage: Sendable {
    /// What names a request, in the form in which the client gave it.
    enum ID: Sendable, Hashable {
        case number(Int64), text(String)

        /// Nil for a value that names no request.
        init?(_ value: JSONValue?) {
            switch value {
            case .integer(let number): self = .number(number)
            case .string(let text): self = .text(text)
            default: return nil
            }
        }

        func encode(to json: inout JSONWriter) {
            switch self {
            case .number(let number): json.value(number)
            case .text(let text): json.value(text)
            }
        }
    }

    /// Nil for a notification, which gets no answer.
    let id: ID?
    let method: String
    /// An object; without members when the message has no parameters.
    let params: JSONValue

    /// Reads a body. Throws `parseError` and `invalidRequest`: also for a batch, which the protocol does not have, and
    /// for an answer, because the gateway asks clients nothing.
    init(_ body: [UInt8]) throws(RPCError) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(body, limitsMarks: true)
        } catch {
            throw RPCError(.parseError, "At byte \(error.offset): \(error.reason).")
        }
        guard value.members != nil else {
            throw RPCError(.invalidRequest, "One message was expected, which is an object, not \(value.kind).")
        }
        id = ID(value["id"])
        if id == nil, let other = value["id"] {
            throw RPCError(.invalidRequest, "The id must be a string or a whole number, not \(other.kind).")
        }
        guard value["jsonrpc"]?.string == "2.0" else {
            throw RPCError(.invalidRequest, "The member jsonrpc must be \"2.0\".", id: id)
        }
        guard let method = value["method"]?.string else {
            throw RPCError(.invalidRequest, "The member method must be a string.", id: id)
        }
        self.method = method
        params = (value["params"] ?? .null).orEmpty
        guard params.members != nil else {
            throw RPCError(.invalidParams, "The member params must be an object, not \(params.kind).", id: id)
        }
    }
}

extension JSONValue {
    /// An object without members in place of null: some clients write null for what they leave out.
    var orEmpty: JSONValue { self == .null ? .object([]) : self }

    /// The same without the members of objects whose value is null.
    var withoutNulls: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.compactMap { member in
                    member.value == .null ? nil : JSONMember(name: member.name, value: member.value.withoutNulls)
                })
        case .array(let items): .array(items.map(\.withoutNulls))
        default: self
        }
    }
}

/// Why a request gets no result: the member `error` of an answer.
struct RPCError: Error, Sendable {
    /// Those of JSON-RPC, then those of the Model Context Protocol.
    enum Code: Int, Sendable, CaseIterable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case unknownResource = -32002
        case unknownSession = -32001
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    let code: Code
    /// For people. It quotes at most the request, never what a customer wrote.
    let message: String
    /// Of the request; nil when it could not be read.
    var id: RPCMessage.ID?
    /// The version that was asked for, if it is not spoken here.
    var requestedVersion: String?

    init(_ code: Code, _ message: String, id: RPCMessage.ID? = nil, requestedVersion: String? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.requestedVersion = requestedVersion
    }

    /// The whole answer.
    var answer: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.name("id")
        if let id { id.encode(to: &json) } else { json.raw("null") }
        json.name("error")
        json.beginObject()
        json.member("code", code.rawValue)
        json.member("message", String(message.prefix(512)))
        if let requestedVersion {
            json.name("data")
            json.beginObject()
            json.name("supported")
            json.beginArray()
            for revision in MCPRevision.allCases { json.value(revision.rawValue) }
            json.endArray()
            json.member("requested", String(requestedVersion.prefix(64)))
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// The status of the answer. Before 2026-07-28 what is wrong with the message as such gets 400, and what is wrong
    /// with the request in it gets 200.
    func status(in revision: MCPRevision?) -> Int {
        switch code {
        case .parseError, .invalidRequest, .unsupportedVersion, .headerMismatch: 400
        case .unknownSession: 404
        case .methodNotFound: revision?.isStateless == true ? 404 : 200
        case .invalidParams: revision?.isStateless == false ? 200 : 400
        case .internalError, .unknownResource: 200
        }
    }
}
