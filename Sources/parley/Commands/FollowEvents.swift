import ArgumentParser
import Foundation

/// The arguments that say whose events a command reads.
struct FeedFlags: ParsableArguments {
    @Argument(help: ArgumentHelp("The sessions; may be repeated.", valueName: "session"))
    var sessions: [String] = []
    @Flag(help: "The events of the desk.") var desk = false
    @Option(help: ArgumentHelp("Only these types of events, with commas between them.", valueName: "types"))
    var types: String?

    func validate() throws {
        if sessions.isEmpty, !desk { throw ValidationError("Name a session of parley sessions, or give --desk.") }
    }

    var scope: FeedScope { FeedScope(sessions: sessions, isDesk: desk, types: types) }
}

/// `parley tail`: prints events as they happen, and goes on after a break.
struct FollowEvents: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Print the events of sessions or of the desk.",
        discussion: """
            It begins with what happens from now on, or after a cursor. If the stream breaks, it goes on at its place \
            when the gateway is back. An event reset says that the place was lost, and which snapshot to load. With \
            -o jsonl each event is a line {"id"?,"type","data"}.
            """)

    @OptionGroup var feed: FeedFlags
    @Option(help: ArgumentHelp("Begin after this place.", valueName: "cursor")) var after: String?
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
    @OptionGroup var flags: ClientFlags

    func validate() throws {
        if after != nil, last != nil { throw ValidationError("Give either --after or -n, but not both.") }
        if let last, !(0...500 ~= last) { throw ValidationError("-n must be from 0 to 500.") }
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let file = cursorFile.map(CursorFile.init)
        let kept = try file?.read()
        var printer = EventPrinter(output: output, file: file, count: count, failsOnReset: failOnReset)
        // The newest events are those at the end of all that the log has.
        let newest = kept == nil ? last : nil
        let start = try kept ?? (newest == nil ? after : Self.floor(client))
        let following = try Following(client, feed.scope, after: start, output: output)
        var backlog: [FeedEvent]? = newest == nil ? nil : []
        var end = idle.map { ContinuousClock.now + $0.duration }
        while true {
            let step = try following.next(until: end, beside: (STDOUT_FILENO, 0))
            guard case .event(let event) = step else { return }
            if !event.isMark { end = idle.map { ContinuousClock.now + $0.duration } }
            if let gathered = backlog {
                guard event.type != "ready" else {
                    backlog = nil
                    for event in gathered.suffix(newest ?? 0) { if try !printer.print(event) { return } }
                    if try !printer.print(event) || noFollow { return }
                    continue
                }
                // Twice as many as are wanted at most: what falls out moves the rest only now and then.
                backlog = (gathered.count >= 1000 ? gathered.suffix(500) : gathered) + [event]
                continue
            }
            if try !printer.print(event) || (noFollow && event.type == "ready") { return }
        }
    }

    /// The place before the oldest event of the log.
    private static func floor(_ client: GatewayClient) throws(CommandFailure) -> String? {
        let info = try client.get("/v1/info").root
        guard let epoch = info["epoch"]?.string, let floor = info["floor"]?.number else { return nil }
        return "\(epoch)-\(floor)"
    }
}
