import Formats

/// Something that came from an app or went to it, as `/v1/sandbox/frames` shows it: a frame of a socket, a request over
/// HTTP or its answer, the end of a socket, or a fault that has happened.
package struct SandboxFrame: Sendable {
    package enum Kind: String, Sendable {
        case frame
        /// A request over HTTP. One for a socket is among them.
        case request
        /// The answer to a request over HTTP.
        case answer
        /// A socket is closed; ``reason`` tells how.
        case closed
        /// A fault has happened; ``text`` is what the app did not get for it.
        case fault
    }

    package enum Direction: String, Sendable, CaseIterable {
        case toSandbox
        case toClient
    }

    package var kind = Kind.frame
    package var at = Timestamp(milliseconds: 0)
    /// The number of the socket; nil over HTTP.
    package var socket: Int?
    /// The customer's id, as far as it is known.
    package var customer: String?
    package var direction = Direction.toSandbox
    /// The platform's name of what happens, or over HTTP the operation's id.
    package var type: String?
    /// The beginning of the text as it was sent, tokens included. They are taken out when the frame is shown, because few
    /// frames are ever shown.
    package private(set) var text: [UInt8] = []
    /// The bytes of the whole frame or body.
    package var size = 0
    /// Of an answer: the number of what it answers.
    package var answers: Int?
    /// Of an answer: the type of what it answers.
    package var asked: String?
    package var http: HTTP?
    /// Of an answer: members of the request's body that no description of the platform knows.
    package var unknown: [String] = []
    /// How a socket came to its end.
    package var reason: String?
    package var fault: (id: String, kind: Fault.Kind)?

    /// What a request or an answer over HTTP has beside its body.
    package struct HTTP: Sendable {
        package var method: String?
        /// With the query, without tokens.
        package var target: String?
        package var status: Int?

        package init(method: String? = nil, target: String? = nil, status: Int? = nil) {
            (self.method, self.target, self.status) = (method, target, status)
        }
    }

    /// The most bytes of a text that are kept.
    package static let limit = 8 << 10
    /// What a slot has before it is used.
    static let blank = SandboxFrame()

    private init() {}

    package init(
        _ kind: Kind = .frame, _ text: [UInt8] = [], _ direction: Direction, type: String? = nil, socket: Int? = nil,
        customer: String? = nil, at: Timestamp
    ) {
        (self.kind, self.at, self.socket, self.direction, size) = (kind, at, socket, direction, text.count)
        (self.type, self.customer) = (type, customer)
        self.text = text.count > Self.limit ? Array(text.prefix(Self.limit)) : text
    }

    /// About what it takes in memory, in bytes.
    var weight: Int {
        256 + text.count + (http?.target?.utf8.count ?? 0) + unknown.reduce(0) { $0 + 16 + $1.utf8.count }
    }

    /// Writes the frame as the API shows it (the schema `SandboxFrame`).
    func encode(number: Int, without secrets: FrameSecrets, to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", number)
        json.member("at", at)
        json.member("kind", kind.rawValue)
        if let socket { json.member("socket", socket) }
        json.member("customer", customer)
        json.member("direction", direction.rawValue)
        json.member("type", type)
        if let answers { json.member("answers", answers) }
        json.member("method", http?.method)
        json.member("path", http?.target)
        if let status = http?.status { json.member("status", status) }
        if !unknown.isEmpty { json.member("unknown", texts: unknown) }
        json.member("reason", reason)
        if let fault {
            json.member("fault", fault.id)
            json.member("faultKind", fault.kind.rawValue)
        }
        json.member("text", String(decoding: secrets.removed(from: text), as: UTF8.self))
        json.member("size", size)
        json.endObject()
    }
}
