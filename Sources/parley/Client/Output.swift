import ArgumentParser
import Formats
import Foundation

/// How a command prints its answer (`-o`).
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people and shells.
    case table
    /// As the gateway wrote it.
    case json
    /// One item a line.
    case jsonl
    /// The ids alone, one a line.
    case id

    /// What decides: `--output`, then `PARLEY_OUTPUT`, then that people read it. A terminal does not matter.
    static func wanted(by flag: OutputFormat?, _ variable: String?) -> OutputFormat {
        flag ?? variable.flatMap(OutputFormat.init) ?? .table
    }
}

/// What a command prints: its answer to standard output, all else to standard error.
struct Output {
    var format: OutputFormat
    /// Whether nothing but errors is told on standard error.
    var isQuiet: Bool

    /// The columns of the terminal that standard output is; nil when it is none.
    let width: Int? = {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }()

    /// Whether texts on standard output may have styles.
    let isStyled = TextStyle.isWanted(STDOUT_FILENO, ProcessInfo.processInfo.environment)

    // MARK: Standard output

    /// Whether standard output is a terminal, which obeys what is written.
    var isTerminal: Bool { width != nil }

    /// Writes all bytes at once, unbuffered, as they are: ``ForeignText`` writes what others wrote. If nobody reads any
    /// more, the process ends by SIGPIPE, or with status 1 where that is ignored.
    func write(_ bytes: [UInt8]) {
        if !Self.write(bytes, to: STDOUT_FILENO) { Foundation.exit(1) }
    }

    /// Writes a line of this program's own words. Texts of others in it must have been made safe.
    func line(_ text: String) { write(Array(text.utf8) + [UInt8(ascii: "\n")]) }

    /// Writes JSON of the gateway: its bytes, but at a terminal with escapes for what a terminal would obey.
    func line(_ json: some Collection<UInt8>) {
        let bytes = isTerminal ? ForeignText.shown(Array(json)[...], isJSON: true) : Array(json)
        write(bytes + [UInt8(ascii: "\n")])
    }

    /// Prints a list.
    ///
    /// - Parameters:
    ///   - bytes: the whole answer.
    ///   - styles: of the columns.
    ///   - row: the texts of an item, as many as there are titles.
    func list(
        _ items: [JSONElement], bytes: [UInt8], titles: [String], styles: [TextStyle?] = [],
        id: (JSONElement) -> String? = { $0["id"]?.string }, row: (JSONElement) -> [String]
    ) {
        switch format {
        case .table:
            if items.isEmpty { return inform("There is nothing.") }
            table(Table(titles: titles, rows: items.map(row), styles: styles))
        case .json: line(bytes)
        case .jsonl: for item in items { line(item.bytes) }
        case .id: for item in items { if let id = id(item) { line(id.shownSafely) } }
        }
    }

    func table(_ table: Table) { for text in table.lines(width: width, isStyled: isStyled) { line(text) } }

    /// Prints one thing as a list of one, but in JSON as it is.
    func item(_ answer: JSONText, titles: [String], row: (JSONElement) -> [String]) {
        list([answer.root], bytes: Array(answer.root.bytes), titles: titles, row: row)
    }

    // MARK: Standard error

    /// Tells what goes on, unless the command is quiet.
    func inform(_ text: String) {
        if !isQuiet { writeError("parley: \(text.shownSafely)") }
    }

    /// The same in several lines, which are safe already.
    func inform(lines: [String]) {
        if !isQuiet { writeError("parley: \(lines.joined(separator: "\n"))") }
    }

    /// Tells what went wrong and does not end the command, a quiet one, too.
    func warn(_ text: String) { writeError("parley: \(text.shownSafely)") }

    /// Tells why the command fails: with JSON asked for, as one line of JSON.
    func fail(_ failure: CommandFailure) {
        let isJSON = format == .json || format == .jsonl
        writeError(
            isJSON
                ? String(decoding: failure.json, as: UTF8.self).shownSafelyInJSON
                : "parley: \(failure.message.shownSafely)")
    }

    /// What nobody reads is lost: the command goes on.
    private func writeError(_ line: String) { _ = Self.write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Returns whether all was written. A disk may be full, or the reader gone while SIGPIPE is ignored.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                _ = Waiting.wait(for: [(descriptor, POLLOUT)], until: nil)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// What others wrote, on its way to standard output as it comes, piece by piece.
///
/// At a terminal, what it would obey is escaped: in JSON as JSON does it, elsewhere as `\u{...}`. Line ends and tabs
/// stay. Elsewhere the bytes go out as they are.
struct ForeignText {
    private let output: Output
    private let isJSON: Bool
    /// The beginning of a character, or a CR, that the next piece goes on from.
    private var rest: [UInt8] = []

    init(_ output: Output, isJSON: Bool) { (self.output, self.isJSON) = (output, isJSON) }

    mutating func write(_ piece: [UInt8]) {
        guard output.isTerminal else { return output.write(piece) }
        let bytes = rest + piece
        let end = bytes.count - Self.unfinished(bytes)
        rest = Array(bytes[end...])
        output.write(Self.shown(bytes[..<end], isJSON: isJSON))
    }

    /// To be called behind the last piece.
    mutating func end() {
        if !rest.isEmpty { output.write(Self.shown(rest[...], isJSON: isJSON)) }
        rest = []
    }

    static func shown(_ bytes: ArraySlice<UInt8>, isJSON: Bool) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        if isJSON { return Array(text.shownSafelyInJSON.utf8) }
        let lines = text.replacing("\r\n", with: "\n")
        return Array(lines.escapingScalars { $0.isObeyed && $0 != "\n" && $0 != "\t" ? $0.shown : nil }.utf8)
    }

    /// How many bytes at the end are the beginning of a character, or of CR LF.
    static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        for (count, byte) in zip(1...3, bytes.reversed()) {
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return count < length ? count : 0
        }
        return 0
    }
}

/// Tells on standard error how far a long command has come: at a terminal in one line that changes, elsewhere now and then.
struct Progress {
    private let output: Output
    private let verb: String
    private let isBeside: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var count = 0
    private var due = ContinuousClock.now

    /// - Parameters:
    ///   - verb: what is done with conversations, such as `imported`.
    ///   - isBeside: whether something else is written to the same terminal meanwhile: then it tells the end alone.
    init(_ output: Output, of verb: String, isBeside: Bool = false) {
        (self.output, self.verb, self.isBeside) = (output, verb, isBeside)
        due = ContinuousClock.now + pause
    }

    private var pause: Duration { isTerminal ? .milliseconds(250) : .seconds(10) }

    /// One more is done.
    ///
    /// - Parameter share: of the file, in percent; nil if it is not known.
    mutating func countOne(share: Int? = nil) {
        count += 1
        guard !output.isQuiet, !isBeside, ContinuousClock.now >= due else { return }
        due = ContinuousClock.now + pause
        let text = "\(count) conversations \(verb)\(share.map { ", \($0)%" } ?? "")"
        if isTerminal {
            _ = Output.write(Array("\r\u{1B}[Kparley: \(text)".utf8), to: STDERR_FILENO)
        } else {
            output.inform(text)
        }
    }

    /// Takes the line away, so that another one can be written.
    func clear() {
        if isTerminal, !output.isQuiet, !isBeside { _ = Output.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    }

    func end() {
        clear()
        output.inform(count == 1 ? "1 conversation \(verb)" : "\(count) conversations \(verb)")
    }
}
