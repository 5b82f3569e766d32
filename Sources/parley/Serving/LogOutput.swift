import ChatModel
import Dispatch
import Formats
import Foundation
import Gateway
import Logging
import Synchronization

/// The process's log: lines in logfmt on standard error. Level and verbosity may be changed at run time, from any
/// thread.
///
/// `simple` has level, message and its members; `medium` adds time and component; `full` adds source file and line.
final class LogOutput: LogControl {
    /// Where finished lines go.
    let lines = LogLines()
    /// Read for each line by all loggers, and changed by `PUT /v1/log`.
    private let state: Mutex<(level: Logger.Level, verbosity: LogVerbosity)>

    init(level: Logger.Level, verbosity: LogVerbosity) { state = Mutex((level, verbosity)) }

    /// The log of these settings. Throws ``SettingsError`` with the words that are allowed.
    convenience init(_ settings: Settings) throws(SettingsError) {
        let (level, verbosity) = try Self.values(settings)
        self.init(level: level, verbosity: verbosity)
    }

    /// What these settings say of the log. Throws ``SettingsError`` with the words that are allowed.
    static func values(_ settings: Settings) throws(SettingsError) -> (level: Logger.Level, verbosity: LogVerbosity) {
        guard let level = Logger.Level(rawValue: settings.string(.logLevel)) else {
            throw SettingsError(
                "log-level must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let verbosity = LogVerbosity(rawValue: settings.string(.logVerbosity)) else {
            throw SettingsError(
                "log-verbosity must be one of \(LogVerbosity.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return (level, verbosity)
    }

    var level: Logger.Level { state.withLock { $0.level } }
    var verbosity: LogVerbosity { state.withLock { $0.verbosity } }

    /// Changes level, verbosity or both, for all loggers at once; nil leaves one as it is.
    func set(level: Logger.Level?, verbosity: LogVerbosity?) {
        state.withLock { state in
            state.level = level ?? state.level
            state.verbosity = verbosity ?? state.verbosity
        }
    }

    /// A logger whose lines name this component.
    func logger(_ label: String) -> Logger {
        Logger(label: label) { Handler(label: $0, output: self) }
    }

    /// Formats one component's lines. Copies of it share the level and the output.
    private struct Handler: LogHandler {
        var label: String
        var output: LogOutput
        var metadata: Logger.Metadata = [:]
        /// One level for the whole process, so that it can be changed while loggers are in use.
        var logLevel: Logger.Level {
            get { output.level }
            set { output.set(level: newValue, verbosity: nil) }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        /// Writes one line: the fixed members first, then the metadata sorted by name. The event's own metadata wins
        /// over the logger's.
        func log(event: LogEvent) {
            let verbosity = output.verbosity
            var line = ""
            if verbosity != .simple {
                line += "time=\(ModelEnvironment.system.now().rfc3339) "
            }
            line += "level=\(event.level) "
            if verbosity != .simple { line += "component=\(label) " }
            line += "message=\(LogOutput.quoted(event.message.description))"
            for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
                $0.key < $1.key
            }) {
                line += " \(name)=\(LogOutput.quoted(value.description))"
            }
            if verbosity == .full { line += " source=\(event.file.split(separator: "/").last ?? ""):\(event.line)" }
            line += "\n"
            output.lines.write(line)
        }
    }

    /// The most bytes of one value. It may be text from a client, which must not fill the log.
    private static let maximumLength = 1024

    /// A value in logfmt: in quotes where it has spaces, quotes, `=` or other than printable ASCII. What a terminal
    /// or a reader of lines would obey is escaped, so a value never makes a line of its own.
    static func quoted(_ text: String) -> String {
        if text.utf8.count > maximumLength {
            return quoted(String(decoding: text.utf8.prefix(maximumLength - 8), as: UTF8.self) + "...")
        }
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
            }
        if isPlain { return text }
        let inner = text.escapingScalars { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            default: scalar.isObeyed ? scalar.shown : nil
            }
        }
        return "\"\(inner)\""
    }
}

/// The log's lines on their way to standard error.
///
/// A queue of its own writes them: the reader of standard error may be slow or stuck, and the server's loop must not
/// wait for it. At most 1 MiB waits; later lines are dropped, and a line tells how many. Any thread may call it.
final class LogLines: Sendable {
    /// The most bytes that wait.
    static let limit = 1 << 20

    /// `isWriting` is true from the first waiting line until ``drain()`` finds none, so that only one block is queued
    /// at a time.
    private struct State {
        var waiting: [String] = []
        var bytes = 0
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")
    /// Gets one line after the other, whole, so that lines of several threads do not mix.
    private let output: @Sendable (String) -> Void

    init(output: @escaping @Sendable (String) -> Void = StandardStreams.writeError) { self.output = output }

    /// Adds a line and returns at once.
    ///
    /// - Parameter line: with its line end.
    func write(_ line: String) {
        let begins = state.withLock { state in
            guard state.bytes + line.utf8.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            state.waiting.append(line)
            state.bytes += line.utf8.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.drain() } }
    }

    /// Blocks until all lines so far are written, or the time is over. For the end of the process, not for the loop.
    func flush(timeout: DispatchTimeInterval = .seconds(1)) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + timeout)
    }

    /// Writes what waits, and what is added meanwhile, until nothing is left. On the queue only.
    private func drain() {
        while let lines = removeWaiting() {
            for line in lines { output(line) }
        }
    }

    /// The lines that wait, with one about dropped lines behind them; nil when there are none, and the next
    /// ``write(_:)`` must then start a new drain.
    private func removeWaiting() -> [String]? {
        state.withLock { state in
            if state.waiting.isEmpty, state.dropped == 0 {
                state.isWriting = false
                return nil
            }
            var lines = state.waiting
            if state.dropped > 0 {
                lines.append("level=warning message=\"lines of the log were dropped\" count=\(state.dropped)\n")
            }
            state.waiting = []
            state.bytes = 0
            state.dropped = 0
            return lines
        }
    }
}
