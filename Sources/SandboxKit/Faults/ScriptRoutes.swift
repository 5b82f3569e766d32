import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's routes for scripts of faults. They need the gateway's token.
struct ScriptRoutes<Context: CallContext> {
    private static var path: String { "/v1/sandbox/scripts" }

    private let platforms: SandboxPlatforms

    init(_ platforms: SandboxPlatforms) { self.platforms = platforms }

    /// `POST` adds a script and answers 201 with it, `GET` shows how far scripts are, `DELETE` ends one. The id of a script
    /// tells of which platform it is.
    var routes: [Route<Context>] {
        let (platforms, query) = (platforms, KnownParameters.only(SandboxPlatforms.query))
        return [
            Route(
                .get, Self.path, "listSandboxScripts", access: .scope(.sandboxWrite), query: query,
                handler: .now { call in
                    let runner = try platforms.chosen(by: call.query).faults
                    return call.json(headers: [("Cache-Control", "no-store")]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for script in runner.scripts.all { script.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .post, Self.path, "createSandboxScript", access: .scope(.sandboxWrite), query: query, body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let runner = try platforms.chosen(by: call.query).faults
                    let body = try call.body { ScriptBody(reading: &$0, of: runner.kinds) }
                    let script = body.script(in: runner.environment)
                    guard runner.add(script) else {
                        throw Problem(.invalidValue, "Too many scripts are running already.")
                    }
                    // With what has happened already.
                    let location = "\(Self.path)/\(script.id.percentEncoded)"
                    return call.json(status: 201, headers: [("Location", location)]) {
                        (runner.scripts.script(script.id) ?? script).encode(to: &$0)
                    }
                }
            ).audited(as: "fault.scriptCreated"),
            Route(
                .get, "\(Self.path)/{script}", "getSandboxScript", access: .scope(.sandboxWrite),
                handler: .now { call in
                    let id = call.parameters["script"]
                    guard let script = platforms.all.lazy.compactMap({ $0.faults.scripts.script(id) }).first else {
                        throw Self.unknown
                    }
                    return call.json(headers: [("Cache-Control", "no-store")]) { script.encode(to: &$0) }
                }),
            Route(
                .delete, "\(Self.path)/{script}", "deleteSandboxScript", access: .scope(.sandboxWrite),
                handler: .aside { call in
                    let id = call.parameters["script"]
                    guard platforms.all.contains(where: { $0.faults.removeScript(id) }) else { throw Self.unknown }
                    return call.noContent()
                }
            ).audited(as: "fault.scriptRemoved"),
        ]
    }

    private static var unknown: Problem { Problem(.notFound, "There is no such script of faults, or not any more.") }
}

/// `{"name"?,"steps":[{"fault","trigger"?,"delayMilliseconds"?}]}`, 1 to 50 steps.
struct ScriptBody {
    private let name: String?
    private let steps: [StepBody]

    init(reading object: inout ObjectReader, of kinds: [Fault.Kind]) {
        name = object.optionalString("name", length: 1...128)
        steps =
            object.objects(object.required("steps"), "steps", count: 1...50) { StepBody(reading: &$0, of: kinds) } ?? []
    }

    func script(in environment: ModelEnvironment) -> FaultScript {
        FaultScript(
            id: environment.makeID(), name: name, createdAt: environment.now(),
            steps: steps.map { body in
                FaultScript.Step(
                    trigger: body.trigger?.trigger, delay: body.delay,
                    fault: body.fault.map { $0.fault(in: environment) }
                        ?? Fault(id: environment.makeID(), kind: .dropSocket))
            })
    }
}

struct StepBody {
    let fault: FaultBody?
    let trigger: TriggerBody?
    let delay: Int

    init(reading object: inout ObjectReader, of kinds: [Fault.Kind]) {
        fault = object.object(object.required("fault"), "fault") { FaultBody(reading: &$0, of: kinds) }
        trigger = object.object(object.optional("trigger"), "trigger")
        delay = object.optionalInteger("delayMilliseconds", in: 0...86_400_000) ?? 0
    }
}

struct TriggerBody: RequestBody {
    let trigger: FaultScript.Trigger

    init(reading object: inout ObjectReader) {
        trigger = FaultScript.Trigger(
            event: object.optionalString("event", length: 1...64), customer: object.optionalID("customer"),
            channel: object.optionalID("channel"), socket: object.optionalInteger("socket", in: 1...FaultBody.greatest),
            nth: object.optionalInteger("nth", in: 1...1_000_000) ?? 1)
    }
}
