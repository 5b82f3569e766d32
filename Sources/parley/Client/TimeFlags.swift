import ArgumentParser
import ChatModel
import Formats

/// `--since` and `--until` of lists: from the one on, and before the other.
struct TimeFlags: ParsableArguments {
    @Option(help: ArgumentHelp("Only from a time on, or from so long ago: 10m, 2h.", valueName: "time"))
    var since: String?
    @Option(help: ArgumentHelp("Only before a time, or before so long ago: 10m, 2h.", valueName: "time"))
    var until: String?

    /// The parameters of the query. Throws ``CommandFailure``.
    func query() throws(CommandFailure) -> [(String, String?)] {
        [
            ("since", try since.map { text throws(CommandFailure) in try Timestamp.ago(text, "--since").rfc3339 }),
            ("until", try until.map { text throws(CommandFailure) in try Timestamp.ago(text, "--until").rfc3339 }),
        ]
    }
}

extension Timestamp {
    /// A time as flags take it: RFC 3339, or how long ago. Throws ``CommandFailure``.
    static func ago(_ text: String, _ flag: String) throws(CommandFailure) -> Timestamp {
        if let time = Timestamp(rfc3339: text) { return time }
        guard let ago = DurationText(argument: text) else {
            throw .usage("\(flag) needs a time, such as 10m or 2026-05-04T09:30:00Z.")
        }
        return ModelEnvironment.system.now().advanced(bySeconds: -Int(ago.duration.components.seconds))
    }
}
