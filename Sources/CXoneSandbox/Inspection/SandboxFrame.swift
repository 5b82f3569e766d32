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

/// Takes the tokens out of frames.
enum FrameSecrets {
    private static let names =
        ["token", "secret", "authorizationcode", "codeverifier", "password"].map { Array($0.utf8) }

    /// The same text with three dots for each text whose member has one of the names, or one that contains it. It must
    /// be JSON; other text is returned as it is.
    static func removed(from text: [UInt8]) -> [UInt8] {
        var strings = Strings(text: text)
        var kept: [UInt8] = []
        var start = 0
        var name: Range<Int>?
        while let string = strings.next() {
            if strings.isName {
                name = string
                continue
            }
            defer { name = nil }
            guard let before = name, strings.isValueOfName, isSecret(text[before]) else { continue }
            kept.append(contentsOf: text[start..<string.lowerBound])
            kept.append(contentsOf: "...".utf8)
            start = string.upperBound
        }
        if start == 0 { return text }
        return kept + text[start...]
    }

    /// Whether a name contains one of the names, in upper or lower case. It allocates nothing, because it runs for
    /// every member of every frame.
    static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        names.contains { secret in
            guard name.count >= secret.count else { return false }
            return (name.startIndex...(name.endIndex - secret.count)).contains { start in
                zip(name[start...], secret).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }

    /// Goes from string to string through JSON text.
    private struct Strings {
        let text: [UInt8]
        private(set) var isName = false
        /// Whether nothing but a colon and white space is between this string and the name before it.
        private(set) var isValueOfName = false
        private var position = 0

        init(text: [UInt8]) { self.text = text }

        /// The range of the next string, without its quotes. A string that does not end goes to the end of the text.
        mutating func next() -> Range<Int>? {
            let before = position
            guard let quote = text[position...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            isValueOfName = isName && text[before..<quote].allSatisfy { $0 == UInt8(ascii: ":") || $0 <= 0x20 }
            var end = quote + 1
            while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            end = min(end, text.count)
            position = min(end + 1, text.count)
            var next = position
            while next < text.count, text[next] <= 0x20 { next += 1 }
            isName = next < text.count && text[next] == UInt8(ascii: ":")
            return (quote + 1)..<end
        }
    }
}

extension FrameSecrets {
    /// A request's target with three dots for each value of its query whose name has one of the names.
    static func removed(fromTarget target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.map { pair in
            let name = pair.prefix { $0 != "=" }
            return isSecret(Array(name.utf8)[...]) ? "\(name)=..." : String(pair)
        }
        return target[...mark] + kept.joined(separator: "&")
    }
}
