import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's routes to add faults to the sandbox, list those that wait, and remove them. They need the
/// gateway's token.
struct FaultRoutes<Context: CallContext> {
    private static var path: String { "/v1/sandbox/faults" }

    let sandbox: Sandbox

    /// `GET` lists the faults that are due, `POST` adds one and answers 201 with it, `DELETE` removes all. Beyond the
    /// limit of ``FaultBook`` a `POST` is refused with `invalidValue`.
    var routes: [Route<Context>] {
        let sandbox = sandbox
        return [
            Route(
                .get, Self.path, "listSandboxFaults", access: .gateway,
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
                .post, Self.path, "createSandboxFault", access: .gateway, body: .json, idempotency: .recorded,
                handler: .later { call in
                    let body: FaultBody = try call.body()
                    let fault = body.fault(id: sandbox.makeID())
                    guard sandbox.add(fault) else {
                        throw Problem(.invalidValue, "Too many faults are waiting already.")
                    }
                    return call.json(status: 201) { fault.encode(to: &$0) }
                }),
            Route(
                .delete, Self.path, "deleteSandboxFaults", access: .gateway,
                handler: .now { call in
                    sandbox.removeFaults()
                    return call.noContent()
                }),
        ]
    }
}

/// `{"kind","customer"?,"event"?,"count"?,"milliseconds"?,"errorCode"?}`. By default a fault happens once, and
/// delays by 1000 ms. The delay is at most 10 minutes.
struct FaultBody: RequestBody {
    private let kind: Fault.Kind
    private let customer: String?
    private let event: String?
    private let count: Int
    private let milliseconds: Int
    private let errorCode: String?

    init(reading object: inout ObjectReader) {
        kind = object.requiredChoice("kind", of: Fault.Kind.allCases) ?? .dropSocket
        customer = object.optionalID("customer")
        event = object.optionalString("event", length: 1...64)
        count = object.optionalInteger("count", in: 1...1000) ?? 1
        milliseconds = object.optionalInteger("milliseconds", in: 0...600_000) ?? 1000
        errorCode = object.optionalString("errorCode", length: 1...64)
    }

    /// The fault that the body describes. Members that the kind does not use are kept and ignored.
    func fault(id: String) -> Fault {
        Fault(
            id: id, kind: kind, customer: customer, event: event, count: count, milliseconds: milliseconds,
            errorCode: errorCode)
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
        if !kind.isImmediate { json.member("count", count) }
        if kind == .delayAnswer { json.member("milliseconds", milliseconds) }
        json.member("errorCode", errorCode)
        json.endObject()
    }
}
