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

/// `parley wait`: waits for one event, and prints it.
struct WaitForEvent: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait for an event of sessions or of the desk.",
        discussion: """
            It prints the first event that matches, and ends with status 124 when there was none in time. A script \
            that acts first and waits then takes the place before with --after, so that it misses nothing.

            EXAMPLES:
              parley wait SESSION --author agent --timeout 10s
              parley wait --desk --text 'order [0-9]+' --timeout 1m
            """)

    /// The kinds of authors.
    enum Author: String, ExpressibleByArgument, CaseIterable { case customer, agent, bot, system }

    @OptionGroup var feed: FeedFlags
    @Option(help: "Only messages of a customer, agent, bot or of the system.") var author: Author?
    @Option(help: ArgumentHelp("Only messages whose text has a match.", valueName: "regex")) var text: String?
    @Option(help: ArgumentHelp("Begin after this place.", valueName: "cursor")) var after: String?
    @Option(help: ArgumentHelp("How long to wait: 500ms, 30s, 10m.", valueName: "time"))
    var timeout: DurationText
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws { _ = try expression() }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let end = ContinuousClock.now + timeout.duration
        let expression = try expression()
        let following = try Following(client, feed.scope, from: after.map(FeedStart.after) ?? .now, output: output)
        waiting: while true {
            switch try following.next(until: end, beside: (STDOUT_FILENO, 0)) {
            case .event(let event):
                if !event.isMark, matches(event, expression) { return EventPrinter.print(event, to: output) }
            // Nobody reads standard output any more.
            case .other: return
            case .deadline: break waiting
            }
        }
        throw CommandFailure(
            .timedOut, code: "timedOut",
            "No such event came in time. Go on from \((following.cursor ?? after).map { "--after \($0)" } ?? "the same place")."
        )
    }

    private func expression() throws -> Regex<AnyRegexOutput>? {
        do { return try text.map { try Regex($0) } } catch {
            throw ValidationError("--text is no regular expression.")
        }
    }

    private func matches(_ event: FeedEvent, _ expression: Regex<AnyRegexOutput>?) -> Bool {
        if author == nil, expression == nil { return true }
        guard let message = (try? JSONText(event.data))?.root["message"] else { return false }
        if let author, message["author"]?["kind"]?.string != author.rawValue { return false }
        guard let expression else { return true }
        return message["text"]?.string.map { $0.contains(expression) } ?? false
    }
}
