import Formats
import HTTPRouting

/// How a transcript is written.
enum TranscriptForm: String, CaseIterable, Sendable {
    /// An object with `thread` and `items`, as the API writes them.
    case json
    /// A line for each message.
    case text
    /// A page that needs nothing else, and runs nothing.
    case html

    /// As clients name it in `Accept`.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .text: "text/plain"
        case .html: "text/html"
        }
    }

    var contentType: String { self == .json ? mediaType : "\(mediaType); charset=utf-8" }
    var fileEnding: String { self == .text ? "txt" : rawValue }

    /// How many bytes the form writes at most for one that the API writes: `&amp;`, `\u{7f}`.
    var greatestGrowth: Int { self == .json ? 1 : 6 }

    /// What the answer may load as a document: of a page, its own style.
    var policy: String {
        self == .html ? "\(TranscriptPage.policy); \(SecurityHeaders.dataPolicy)" : SecurityHeaders.dataPolicy
    }
}

extension Call {
    /// The form that the query names; otherwise the one that the client takes. Throws `invalidParameter`,
    /// `notAcceptable`.
    var transcriptForm: TranscriptForm {
        get throws(Problem) {
            if query["format"] != nil { return try query.choice("format", default: .json) }
            let types = TranscriptForm.allCases.map(\.mediaType)
            let type = AcceptHeader(request.headers.all("Accept")).preferred(among: types)
            guard let form = TranscriptForm.allCases.first(where: { $0.mediaType == type }) else {
                throw Problem(.notAcceptable, "These forms are there: \(types.joined(separator: ", ")).")
            }
            return form
        }
    }
}

/// The zone in which a transcript's times are written: so far from UTC, the whole year.
struct UTCOffset: Sendable, Equatable {
    private let minutes: Int
    /// `Z`, or as in `+02:00`.
    let text: String

    static let utc = UTCOffset()

    private init() { (minutes, text) = (0, "Z") }

    /// Nil for anything but `+HH:MM` and `-HH:MM`, to fourteen hours.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ 0x30...0x39 ~= bytes[$0] })
        else { return nil }
        let digits = bytes.map { Int($0) - 0x30 }
        let (hours, rest) = (digits[1] * 10 + digits[2], digits[4] * 10 + digits[5])
        guard rest < 60, hours * 60 + rest <= 14 * 60 else { return nil }
        minutes = (hours * 60 + rest) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
        self.text = text
    }

    /// As in RFC 3339, with milliseconds.
    func rfc3339(_ time: Timestamp) -> String { shifted(time).rfc3339(hasMilliseconds: true, zone: text) }

    /// Date and time of day, as people read them. The zone stands elsewhere.
    func words(_ time: Timestamp) -> String {
        shifted(time).rfc3339(hasMilliseconds: false, zone: "").replacing("T", with: " ")
    }

    private func shifted(_ time: Timestamp) -> Timestamp { time.advanced(bySeconds: minutes * 60) }
}
