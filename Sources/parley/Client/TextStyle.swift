import Foundation

/// How a text stands out at a terminal.
enum TextStyle: String {
    case bold = "1"
    case dim = "2"
    case coloured = "36"

    /// The text in this style (ECMA-48, SGR). To be used behind ``Swift/String/shownSafely`` and after cutting, because
    /// the sequences take no columns.
    func paint(_ text: some StringProtocol) -> String {
        text.isEmpty ? "" : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }

    /// Whether texts may have styles: at a terminal that knows them, and where nobody has said no
    /// (https://no-color.org).
    static func isWanted(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR"] ?? "" == "" && environment["TERM"] ?? "dumb" != "dumb"
    }
}
