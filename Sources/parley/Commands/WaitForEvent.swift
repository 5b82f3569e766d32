import ArgumentParser
import Formats
import Foundation
import Scenarios

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
