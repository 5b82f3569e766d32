import Foundation

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
    mutating func note(share: Int? = nil) {
        count += 1
        guard !output.isQuiet, !isBeside, ContinuousClock.now >= due else { return }
        due = ContinuousClock.now + pause
        let text = "\(count) conversations \(verb)\(share.map { ", \($0)%" } ?? "")"
        if isTerminal {
            _ = Output.write(Array("\r\u{1B}[Kparley: \(text)".utf8), to: STDERR_FILENO)
        } else {
            output.note(text)
        }
    }

    /// Takes the line away, so that another one can be written.
    func clear() {
        if isTerminal, !output.isQuiet, !isBeside { _ = Output.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    }

    func end() {
        clear()
        output.note(count == 1 ? "1 conversation \(verb)" : "\(count) conversations \(verb)")
    }
}
