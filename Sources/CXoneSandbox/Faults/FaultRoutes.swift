import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's routes to add faults to the sandbox, list those that wait, and remove them. They need the
/// gateway's token.
struct FaultRoutes<Context: CallContext> {
    private static var path: String { "/v1/sandbox/faults" }

    let sandbox: Sandbox

    /// `GET` lists the faults that are due, `POST` adds one and answers 201 with it, `DELETE` removes all, and the
    /// scripts. Beyond the limit of ``FaultBook`` a `POST` is refused with `invalidValue`.
    var routes: [Route<Context>] {
        let sandbox = sandbox
        return [
            Route(
                .get, Self.path, "listSandboxFaults", access: .scope(.sandboxWrite),
                handler: .now { call in
                    call.json { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for fault in sandbox.pendingFaults { fault.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .post, Self.path, "createSandboxFault", access: .scope(.sandboxWrite), body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: FaultBody = try call.body()
                    let fault = body.fault(id: sandbox.makeID(), random: sandbox.store.environment.random)
                    guard sandbox.add(fault) else {
                        throw Problem(.invalidValue, "Too many faults are waiting already.")
                    }
                    return call.json(status: 201, headers: [("Location", Self.path)]) { fault.encode(to: &$0) }
                }
            ).audited(as: "fault.created"),
            Route(
                .delete, Self.path, "deleteSandboxFaults", access: .scope(.sandboxWrite),
                handler: .aside { call in
                    sandbox.removeFaults()
                    return call.noContent()
                }
            ).audited(as: "fault.allRemoved"),
        ]
    }
}

/// What a fault is to be. By default it happens once, and delays by 1000 ms; one that lasts for a time happens any
/// number of times. Times are at most a day, the delay 10 minutes.
struct FaultBody: RequestBody {
    private var fault: Fault

    init(reading object: inout ObjectReader) {
        fault = Fault(id: "", kind: object.requiredChoice("kind", of: Fault.Kind.allCases) ?? .dropSocket)
        fault.customer = object.optionalID("customer")
        fault.event = object.optionalString("event", length: 1...64)
        fault.channel = object.optionalID("channel")
        fault.socket = object.optionalInteger("socket", in: 1...Self.greatest)
        fault.nth = object.optionalInteger("nth", in: 1...1_000_000)
        fault.probability = object.probability()
        fault.seed = object.optionalInteger("seed", in: 0...Self.greatest)
        fault.lasts = object.optionalInteger("lastsMilliseconds", in: 1...86_400_000)
        fault.count = object.optionalInteger("count", in: 1...1000) ?? (fault.lasts == nil ? 1 : nil)
        fault.milliseconds = object.optionalInteger("milliseconds", in: 0...600_000) ?? 1000
        fault.errorCode = object.optionalString("errorCode", length: 1...64)
    }

    /// The greatest whole number that every JSON parser reads exactly.
    static let greatest = (1 << 53) - 1

    /// The fault that the body describes. Members that the kind does not use are kept and ignored.
    ///
    /// - Parameter random: makes the seed where none is given, a number in 0..<1.
    func fault(id: String, random: () -> Double) -> Fault {
        var fault = fault
        fault.id = id
        if fault.probability != nil, fault.seed == nil { fault.seed = Int(random() * Double(1 << 31)) }
        return fault
    }
}

extension ObjectReader {
    /// Above 0 and at most 1; nil if it is missing.
    fileprivate mutating func probability() -> Double? {
        guard let value = optional("probability") else { return nil }
        let number: Double? =
            switch value {
            case .number(let number): number
            case .integer(let number): Double(number)
            default: nil
            }
        guard let number, number > 0, number <= 1 else {
            reject("probability", "a number above 0 and at most 1 was expected")
            return nil
        }
        return number
    }
}

extension Fault {
    /// The fault as the API shows it. Count and milliseconds are left out where the kind ignores them.
    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("customer", customer)
        json.member("event", event)
        json.member("channel", channel)
        if let socket { json.member("socket", socket) }
        if let nth { json.member("nth", nth) }
        if let probability {
            json.name("probability")
            json.raw(Array("\(probability)".utf8))
        }
        if let seed { json.member("seed", seed) }
        if let lasts { json.member("lastsMilliseconds", lasts) }
        if !isImmediate, let count { json.member("count", count) }
        if kind == .delayAnswer { json.member("milliseconds", milliseconds) }
        json.member("errorCode", errorCode)
        json.endObject()
    }
}

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
