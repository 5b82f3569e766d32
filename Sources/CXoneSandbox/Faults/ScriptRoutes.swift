import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's routes for scripts of faults, and for a clean start. They need the gateway's token.
struct ScriptRoutes<Context: CallContext> {
    private static var path: String { "/v1/sandbox/scripts" }

    let sandbox: Sandbox

    /// `POST` adds a script and answers 201 with it, `GET` shows how far scripts are, `DELETE` ends one.
    var routes: [Route<Context>] {
        let sandbox = sandbox
        return [
            Route(
                .get, Self.path, "listSandboxScripts", access: .scope(.sandboxWrite),
                handler: .now { call in
                    call.json(headers: [("Cache-Control", "no-store")]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for script in sandbox.scripts.all { script.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .post, Self.path, "createSandboxScript", access: .scope(.sandboxWrite), body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: ScriptBody = try call.body()
                    let script = body.script(of: sandbox)
                    guard sandbox.add(script) else {
                        throw Problem(.invalidValue, "Too many scripts are running already.")
                    }
                    // With what has happened already.
                    let location = "\(Self.path)/\(script.id.percentEncoded)"
                    return call.json(status: 201, headers: [("Location", location)]) {
                        (sandbox.scripts.script(script.id) ?? script).encode(to: &$0)
                    }
                }
            ).audited(as: "fault.scriptCreated"),
            Route(
                .get, "\(Self.path)/{script}", "getSandboxScript", access: .scope(.sandboxWrite),
                handler: .now { call in
                    guard let script = sandbox.scripts.script(call.parameters["script"]) else { throw Self.unknown }
                    return call.json(headers: [("Cache-Control", "no-store")]) { script.encode(to: &$0) }
                }),
            Route(
                .delete, "\(Self.path)/{script}", "deleteSandboxScript", access: .scope(.sandboxWrite),
                handler: .aside { call in
                    guard sandbox.removeScript(call.parameters["script"]) else { throw Self.unknown }
                    return call.noContent()
                }
            ).audited(as: "fault.scriptRemoved"),
            Route(
                .post, "/v1/sandbox/reset", "resetSandbox", access: .scope(.sandboxWrite), idempotency: .recorded,
                handler: .aside { call in
                    let reset = try await sandbox.reset()
                    return call.json { reset.encode(to: &$0) }
                }
            ).audited(as: "sandbox.reset"),
        ]
    }

    private static var unknown: Problem { Problem(.notFound, "There is no such script of faults, or not any more.") }
}

/// `{"name"?,"steps":[{"fault","trigger"?,"delayMilliseconds"?}]}`, 1 to 50 steps.
struct ScriptBody: RequestBody {
    private let name: String?
    private let steps: [StepBody]

    init(reading object: inout ObjectReader) {
        name = object.optionalString("name", length: 1...128)
        steps = object.objects(object.required("steps"), "steps", count: 1...50) ?? []
    }

    func script(of sandbox: Sandbox) -> FaultScript {
        FaultScript(
            id: sandbox.makeID(), name: name, createdAt: sandbox.store.environment.now(),
            steps: steps.map { body in
                FaultScript.Step(
                    trigger: body.trigger?.trigger, delay: body.delay,
                    fault: body.fault.map {
                        $0.fault(id: sandbox.makeID(), random: sandbox.store.environment.random)
                    } ?? Fault(id: sandbox.makeID(), kind: .dropSocket))
            })
    }
}

struct StepBody: RequestBody {
    let fault: FaultBody?
    let trigger: TriggerBody?
    let delay: Int

    init(reading object: inout ObjectReader) {
        fault = object.object(object.required("fault"), "fault")
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
