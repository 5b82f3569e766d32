import HTTPRouting

/// A platform that one of the gateway's sandboxes imitates: what the shared routes under `/v1/sandbox` need of it.
package struct SandboxPlatform: Sendable {
    /// The service's word for it, such as `cxone`.
    package let name: String
    package let faults: FaultRunner
    let reset: @Sendable () async throws -> SandboxReset

    /// - Parameter reset: begins anew, and returns when all of it is done.
    package init(_ name: String, _ faults: FaultRunner, reset: @escaping @Sendable () async throws -> SandboxReset) {
        (self.name, self.faults, self.reset) = (name, faults, reset)
    }
}

/// The routes of one sandbox. They name their platform, so that the shared routes under `/v1/sandbox` reach it.
package protocol SandboxRouteGroup {
    var platform: SandboxPlatform { get }
}

/// The platforms of one gateway, of which a request names one by its query. The first one is meant where none is named.
struct SandboxPlatforms: Sendable {
    static let query = ["platform"]

    let first: SandboxPlatform
    let others: [SandboxPlatform]

    var all: [SandboxPlatform] { [first] + others }

    /// Throws `invalidParameter` for one that is not there.
    func chosen(by query: QueryReader) throws(Problem) -> SandboxPlatform {
        guard let name = query["platform"] else { return first }
        guard let platform = all.first(where: { $0.name == name }) else {
            throw Problem.parameter("platform", "one of \(all.map(\.name).joined(separator: ", ")) was expected")
        }
        return platform
    }
}

/// The gateway's own routes of its sandboxes: faults, scripts, a clean start, and frames. They need the gateway's token.
package struct SandboxControl<Context: CallContext> {
    private let platforms: SandboxPlatforms

    package init(_ first: SandboxPlatform, beside others: [SandboxPlatform] = []) {
        platforms = SandboxPlatforms(first: first, others: others)
    }

    package var routes: [Route<Context>] {
        FaultRoutes(platforms).routes + ScriptRoutes(platforms).routes + ResetRoute(platforms).routes
            + FrameRoutes(platforms).routes
    }
}
