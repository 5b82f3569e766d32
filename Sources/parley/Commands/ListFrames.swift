import ArgumentParser
import Formats
import Foundation

/// `parley sandbox frames`: what apps sent and were told, frame by frame.
struct ListFrames: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "List the newest frames of apps, and follow them.",
        discussion: """
            These are the frames of all sockets, the requests over HTTP with their answers, the ends of sockets, and the \
            faults that have happened, without tokens. The gateway remembers the last 2,000, and 4 MiB.
            """)

    private static let titles = ["NUMBER", "AT", "SOCKET", "CUSTOMER", "DIRECTION", "TYPE", "SIZE", "TEXT"]

    @Option(help: ArgumentHelp("Only of this customer.", valueName: "id")) var customer: String?
    @Option(
        help: ArgumentHelp("Only of the socket of this number.", valueName: "number"), completion: IDCompletion.sockets)
    var socket: Int?
    @Option(help: "Only in this direction: toSandbox or toClient.", completion: .list(["toSandbox", "toClient"]))
    var direction: String?
    @Option(
        help: ArgumentHelp("Only of this eventType or operation, with their answers.", valueName: "type"))
    var event: String?
    @Option(help: ArgumentHelp("Only those after the frame of this number.", valueName: "number")) var after: Int?
    @Flag(help: "Go on with frames as they come.") var follow = false
    @OptionGroup var sandbox: SandboxFlags
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let client = SandboxClient(client, sandbox.platform)
        let page = try page(client, after: after)
        guard follow else {
            return output.list(
                page.items, bytes: page.bytes, titles: Self.titles, id: { $0["number"]?.number }, row: Self.row)
        }
        for frame in page.items { Self.show(frame, output) }
        var place = page.place
        let scope = FeedScope(["sandbox", "frames", "events"], query + [("platform", sandbox.platform)])
        let following = try Following(client.client, scope, from: .after(place.cursor), output: output)
        while case .event(let event) = try following.next(beside: (STDOUT_FILENO, 0)) {
            let reached = event.id.flatMap(Place.init)
            if event.type == "reset", let reached {
                try show(client, from: place, to: reached, output)
            } else if event.type == "frame", let frame = try? JSONText(event.data).root {
                Self.show(frame, output)
            }
            place = reached ?? place
        }
    }

    /// The conditions, as the API takes them.
    private var query: [(String, String?)] {
        [("customer", customer), ("socket", socket.map(String.init)), ("direction", direction), ("event", event)]
    }

    /// Shows what a stream could not tell, as far as it is kept: the frames between two places.
    private func show(
        _ sandbox: SandboxClient, from place: Place, to end: Place, _ output: Output
    ) throws(CommandFailure) {
        let isSame = place.incarnation == end.incarnation
        let page = try page(sandbox, after: isSame ? place.number : nil)
        output.inform(isSame ? "\(page.missed) frames are gone that nobody has read" : "the frames begin anew")
        // Something has begun anew once more: the stream tells it next.
        guard page.place.incarnation == end.incarnation else { return }
        for frame in page.items where (frame["number"]?.number).flatMap({ Int($0) }) ?? 0 <= end.number {
            Self.show(frame, output)
        }
    }

    // MARK: The list

    /// A place among the frames: a number, and which sequence it is of.
    private struct Place {
        var incarnation: String
        var number: Int

        /// Nil for a text that is no place.
        init?(_ cursor: String) {
            let parts = cursor.split(separator: "-")
            guard parts.count == 2, let number = Int(digits: String(parts[1])) else { return nil }
            (incarnation, self.number) = (String(parts[0]), number)
        }

        var cursor: String { "\(incarnation)-\(number)" }
    }

    private struct Page {
        var items: [JSONElement]
        var bytes: [UInt8]
        var place: Place
        /// How many frames after the wanted place are not kept any more.
        var missed: String
    }

    private func page(_ sandbox: SandboxClient, after number: Int?) throws(CommandFailure) -> Page {
        let list = try sandbox.get(["frames"], query + [("after", number.map(String.init))])
        guard let items = list.root["items"]?.elements, let place = list.root["cursor"]?.string.flatMap(Place.init)
        else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer is no list of frames.")
        }
        return Page(
            items: items, bytes: Array(list.root.bytes), place: place, missed: list.root["missed"]?.number ?? "0")
    }

    // MARK: A frame

    /// Prints a frame as soon as it is known.
    private static func show(_ frame: JSONElement, _ output: Output) {
        switch output.format {
        case .json, .jsonl: output.line(frame.bytes)
        case .id: if let number = frame["number"]?.number { output.line(number) }
        case .table:
            var cells = row(frame)
            if output.width != nil {
                cells = zip(cells, [5, 24, 3, 16, 9, 22, 5, 0]).map { $0.shownSafely.padded(to: $1) }
            }
            output.table(Table(titles: [], rows: [cells]))
        }
    }

    private static func row(_ frame: JSONElement) -> [String] {
        let words = [
            frame["faultKind"]?.string, frame["method"]?.string, frame["path"]?.string, frame["status"]?.number,
            frame["reason"]?.string, frame["text"]?.string,
        ]
        return [
            frame["number"]?.number ?? "", frame["at"]?.string ?? "", frame["socket"]?.number ?? "",
            frame["customer"]?.string ?? "", frame["direction"]?.string ?? "", frame["type"]?.string ?? "",
            frame["size"]?.number ?? "", words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " "),
        ]
    }
}
