import Formats
import HTTPRouting
import MicroHTTP

/// The sandbox's newest frames, for the gateway's token alone.
struct FrameRoutes<Context: CallContext> {
    private static var frames: String { "/v1/sandbox/frames" }

    private let platforms: SandboxPlatforms

    init(_ platforms: SandboxPlatforms) { self.platforms = platforms }

    var routes: [Route<Context>] {
        let (platforms, named) = (platforms, SandboxPlatforms.query)
        return [
            // Whoever looks at the frames does not want to see that among the requests.
            Route(
                .get, Self.frames, "listSandboxFrames", access: .scope(.sandboxWrite),
                query: .only(Call<Context>.recentQuery + FrameFilter.query + named),
                handler: .stream { call in
                    let runner = try platforms.chosen(by: call.query).faults, secrets = runner.frames.secrets
                    let filter = try FrameFilter(call.query)
                    return try call.recent(runner.frames.recent, on: runner.clock, where: filter.wants) { page, json in
                        json.member("cursor", "\(page.incarnation)-\(page.last)")
                        json.member("missed", page.missed)
                        json.name("dropped")
                        json.beginObject()
                        json.member("frames", page.dropped.count)
                        json.member("bytes", page.dropped.byteCount)
                        json.endObject()
                    } write: { number, frame, json in
                        frame.encode(number: number, without: secrets, to: &json)
                    }
                }
            ).traced(.none),
            Route(
                .get, "\(Self.frames)/events", "streamSandboxFrames", access: .scope(.sandboxWrite),
                query: .only(RecentStart.query + FrameFilter.query + named, isResumable: true),
                handler: .stream { call in
                    let platform = try platforms.chosen(by: call.query)
                    let runner = platform.faults, secrets = runner.frames.secrets
                    let form = try call.form(among: FeedForm.streams)
                    let (start, filter) = (try RecentStart(call), try FrameFilter(call.query))
                    // Whoever reads anew needs the same platform.
                    let list = call.query["platform"] == nil ? Self.frames : "\(Self.frames)?platform=\(platform.name)"
                    var answer = call.streamHead(form)
                    if call.request.method == "HEAD" { return .now(answer) }
                    answer.body = .events(
                        RecentFeed(
                            runner.frames.recent, from: start, as: form.framing, named: "frame", snapshot: list,
                            retry: 1000 + Int(runner.environment.random() * 3000), where: filter.wants
                        ) { number, frame, json in
                            frame.encode(number: number, without: secrets, to: &json)
                        })
                    return .now(answer)
                }
            ).traced(.none),
        ]
    }
}
