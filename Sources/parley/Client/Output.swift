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
            if items.isEmpty { return note("There is nothing.") }
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
    func note(_ text: String) {
        if !isQuiet { tell("parley: \(text.shownSafely)") }
    }

    /// The same in several lines, which are safe already.
    func note(lines: [String]) {
        if !isQuiet { tell("parley: \(lines.joined(separator: "\n"))") }
    }

    /// Tells what went wrong and does not end the command, a quiet one, too.
    func warn(_ text: String) { tell("parley: \(text.shownSafely)") }

    /// Tells why the command fails: with JSON asked for, as one line of JSON.
    func fail(_ failure: CommandFailure) {
        let isJSON = format == .json || format == .jsonl
        tell(
            isJSON
                ? String(decoding: failure.json, as: UTF8.self).shownSafelyInJSON
                : "parley: \(failure.message.shownSafely)")
    }

    /// What nobody reads is lost: the command goes on.
    private func tell(_ line: String) { _ = Self.write(Array((line + "\n").utf8), to: STDERR_FILENO) }

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
