import Formats
import HTTPRouting

/// Something that came from an app or went to it, as `/v1/sandbox/frames` shows it: a frame of a socket, a request over
/// HTTP or its answer, the end of a socket, or a fault that has happened.
struct SandboxFrame: Sendable {
    enum Kind: String, Sendable {
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

    enum Direction: String, Sendable, CaseIterable {
        case toSandbox
        case toClient
    }

    var kind = Kind.frame
    var at = Timestamp(milliseconds: 0)
    /// The number of the socket; nil over HTTP.
    var socket: Int?
    /// The customer's id, as far as it is known.
    var customer: String?
    var direction = Direction.toSandbox
    /// The platform's name of what happens, or over HTTP the operation's id.
    var type: String?
    /// The beginning of the text as it was sent, tokens included. They are taken out when the frame is shown, because few
    /// frames are ever shown.
    private(set) var text: [UInt8] = []
    /// The bytes of the whole frame or body.
    var size = 0
    /// Of an answer: the number of what it answers.
    var answers: Int?
    /// Of an answer: the type of what it answers.
    var asked: String?
    var http: HTTP?
    /// How a socket came to its end.
    var reason: String?
    var fault: (id: String, kind: Fault.Kind)?

    /// What a request or an answer over HTTP has beside its body.
    struct HTTP: Sendable {
        var method: String?
        /// With the query, without tokens.
        var target: String?
        var status: Int?
    }

    /// The most bytes of a text that are kept.
    static let limit = 8 << 10
    /// What a slot has before it is used.
    static let blank = SandboxFrame()

    private init() {}

    init(
        _ kind: Kind = .frame, _ text: [UInt8] = [], _ direction: Direction, type: String? = nil, socket: Int? = nil,
        customer: String? = nil, at: Timestamp
    ) {
        (self.kind, self.at, self.socket, self.direction, size) = (kind, at, socket, direction, text.count)
        (self.type, self.customer) = (type, customer)
        self.text = text.count > Self.limit ? Array(text.prefix(Self.limit)) : text
    }

    /// About what it takes in memory, in bytes.
    var weight: Int { 256 + text.count + (http?.target?.utf8.count ?? 0) }

    /// Writes the frame as the API shows it (the schema `SandboxFrame`).
    func encode(number: Int, to json: inout JSONWriter) {
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
        json.member("reason", reason)
        if let fault {
            json.member("fault", fault.id)
            json.member("faultKind", fault.kind.rawValue)
        }
        json.member("text", String(decoding: FrameSecrets.removed(from: text), as: UTF8.self))
        json.member("size", size)
        json.endObject()
    }
}

/// Which frames a reader wants: those to which all of its conditions apply.
struct FrameFilter: Sendable {
    private let customer: String?
    private let socket: Int?
    private let direction: SandboxFrame.Direction?
    private let event: String?

    static let query = ["customer", "socket", "direction", "event"]

    /// Throws `invalidParameter`.
    init(_ query: QueryReader) throws(Problem) {
        customer = try query.identifier("customer")
        socket = try query.number("socket", in: 1...Int.max)
        direction =
            query["direction"] == nil ? nil : try query.choice("direction", default: SandboxFrame.Direction.toSandbox)
        event = try query.text("event", length: 1...64)
    }

    /// An event's answer is wanted with it.
    func wants(_ frame: SandboxFrame) -> Bool {
        (customer == nil || frame.customer == customer) && (socket == nil || frame.socket == socket)
            && (direction == nil || frame.direction == direction)
            && (event == nil || frame.type == event || frame.asked == event)
    }
}
