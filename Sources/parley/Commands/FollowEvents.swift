import ArgumentParser
import ChatModel
import Formats
import Foundation
import Scenarios

/// The arguments that say whose events a command reads.
struct FeedFlags: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The sessions; may be repeated.", valueName: "session"), completion: IDCompletion.sessions)
    var sessions: [String] = []
    @Flag(help: "The events of the desk.") var desk = false
    @Flag(help: "All events of the gateway.") var all = false
    @Option(help: ArgumentHelp("Only these types of events, with commas between them.", valueName: "types"))
    var types: String?

    func validate() throws {
        if sessions.isEmpty, !desk, !all {
            throw ValidationError("Name a session of parley sessions, or give --desk or --all.")
        }
        if all, desk || !sessions.isEmpty { throw ValidationError("--all has the sessions and the desk already.") }
    }

    var scope: FeedScope { FeedScope(sessions: sessions, isDesk: desk, isAll: all, types: types) }
}

/// `parley tail`: prints events as they happen, and goes on after a break.
struct FollowEvents: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Print the events of sessions or of the desk.",
        discussion: """
            It begins with what happens from now on, or after a cursor. If the stream breaks, it goes on at its place \
            when the gateway is back. An event reset says that the place was lost, and which snapshot to load. With \
            -o jsonl each event is a line {"id"?,"type","data"}.

            EXAMPLES:
              parley tail SESSION
              parley tail --desk --types message.created -o jsonl
              parley tail --desk --no-follow --cursor-file seen
            """)

    @OptionGroup var feed: FeedFlags
    @Option(help: ArgumentHelp("Begin after this place.", valueName: "cursor")) var after: String?
    @Option(help: ArgumentHelp("Begin at a time, or so long ago: 10m, 2h.", valueName: "time")) var since: String?
    @Option(name: .customShort("n"), help: ArgumentHelp("Begin with so many of the newest events.", valueName: "count"))
    var last: Int?
    @Flag(name: .customLong("no-follow"), help: "End at the place where the log ends now.") var noFollow = false
    @Option(help: ArgumentHelp("End after so many events.", valueName: "count")) var count: Int?
    @Option(help: ArgumentHelp("End when nothing has come for so long: 500ms, 2s, 10m.", valueName: "time"))
    var idle: DurationText?
    @Option(
        name: .customLong("cursor-file"),
        help: ArgumentHelp("Begin after the cursor in this file, and keep it up to date.", valueName: "file"))
    var cursorFile: String?
    @Flag(name: .customLong("fail-on-reset"), help: "End with status 1 when the place was lost.")
    var failOnReset = false
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws {
        if [after != nil, since != nil, last != nil].filter({ $0 }).count > 1 {
            throw ValidationError("Give only one of --after, --since and -n.")
        }
        if let last, !(0...500 ~= last) { throw ValidationError("-n must be from 0 to 500.") }
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let file = cursorFile.map(CursorFile.init)
        let start = try file?.read().map(FeedStart.after) ?? beginning()
        var printer = EventPrinter(output: output, file: file, count: count, failsOnReset: failOnReset)
        let following = try Following(client, feed.scope, from: start, output: output)
        var end = idle.map { ContinuousClock.now + $0.duration }
        while case .event(let event) = try following.next(until: end, beside: (STDOUT_FILENO, 0)) {
            if try !printer.print(event) || (noFollow && event.type == "ready") { return }
            if !event.isMark { end = idle.map { ContinuousClock.now + $0.duration } }
        }
    }

    /// Where the events begin that the flags ask for. Throws ``CommandFailure``.
    private func beginning() throws(CommandFailure) -> FeedStart {
        if let after { return .after(after) }
        if let last, last > 0 { return .last(last) }
        return try since.map(FeedStart.ago) ?? .now
    }
}

extension FeedStart {
    /// A time as `--since` takes it. Throws ``CommandFailure``.
    static func ago(_ text: String) throws(CommandFailure) -> FeedStart {
        .since(try Timestamp.ago(text, "--since"))
    }
}
