import Formats
import Scenarios

/// The commands' client, as runs of scenarios use it.
struct ScenarioClient: ScenarioGateway {
    let client: GatewayClient

    /// The environment's token and address are for the command's own gateway alone.
    func at(_ place: Scenario.Place) -> ScenarioClient {
        guard let gateway = place.gateway else { return self }
        var other = client
        other.finder.gateway = gateway
        other.finder.tokenFile = place.tokenFile
        other.finder.isFolderNamed = false
        other.finder.environment = [:]
        return ScenarioClient(client: other)
    }

    func call(
        _ method: String, _ segments: [String], query: [(String, String)], body: [UInt8]?
    ) throws(ScenarioFailure) -> [UInt8] {
        var headers: [(String, String)] = method == "GET" ? [("Accept", "application/json")] : []
        if body != nil { headers.append(("Content-Type", "application/json")) }
        return try Self.explained { () throws(CommandFailure) in
            try client.call(method, GatewayClient.path(segments, query), headers: headers, body: body)
        }
    }

    func upload(_ file: String, to segments: [String]) throws(ScenarioFailure) -> String {
        try Self.explained { () throws(CommandFailure) in try InputFile.upload(file, client, to: segments) }
    }

    func events(of session: String, after cursor: String) throws(ScenarioFailure) -> any ScenarioEvents {
        try follow(FeedScope(sessions: [session], isDesk: false), from: .after(cursor))
    }

    func deskEvents() throws(ScenarioFailure) -> any ScenarioEvents {
        try follow(FeedScope(sessions: [], isDesk: true), from: .now)
    }

    private func follow(_ scope: FeedScope, from start: FeedStart) throws(ScenarioFailure) -> any ScenarioEvents {
        // What is told about single streams would be lost among the results.
        let output = Output(format: .table, isQuiet: true)
        return FollowedEvents(
            following: try Self.explained { () throws(CommandFailure) in
                try Following(client, scope, from: start, output: output)
            })
    }

    func environment() throws(ScenarioFailure) -> [String: String?] {
        let found = try Self.explained { () throws(CommandFailure) in try client.finder.find() }
        return ["PARLEY_GATEWAY": found.address.description, "PARLEY_TOKEN": found.token]
    }

    fileprivate static func explained<T>(_ body: () throws(CommandFailure) -> T) throws(ScenarioFailure) -> T {
        do throws(CommandFailure) {
            return try body()
        } catch {
            throw ScenarioFailure(error.message, cause: error)
        }
    }
}

private final class FollowedEvents: ScenarioEvents {
    private let following: Following

    init(following: Following) { self.following = following }

    var thread: String? { nil }

    func prepare() throws(ScenarioFailure) {
        let end = ContinuousClock.now + .seconds(60)
        // What comes before `ready` happened before the first step.
        while let event = try event(until: end) { if event.type == "ready" { return } }
        throw ScenarioFailure(ScenarioFeed.noFeed)
    }

    func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
        try event(until: deadline).map { ScenarioEvent(id: $0.id, type: $0.type, data: $0.data) }
    }

    private func event(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> FeedEvent? {
        try ScenarioClient.explained { () throws(CommandFailure) in
            guard case .event(let event) = try following.next(until: deadline) else { return nil }
            return event
        }
    }
}
