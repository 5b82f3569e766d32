import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's routes to add faults to the sandbox, list those that wait, and remove them. They need the
/// gateway's token.
struct FaultRoutes<Context: CallContext> {
    private static var path: String { "/v1/sandbox/faults" }

    private let platforms: SandboxPlatforms

    init(_ platforms: SandboxPlatforms) { self.platforms = platforms }

    /// `GET` lists the faults that are due, `POST` adds one and answers 201 with it, `DELETE` removes all, and the
    /// scripts. Beyond the limit of ``FaultBook`` a `POST` is refused with `invalidValue`.
    var routes: [Route<Context>] {
        let (platforms, query) = (platforms, KnownParameters.only(SandboxPlatforms.query))
        return [
            Route(
                .get, Self.path, "listSandboxFaults", access: .scope(.sandboxWrite), query: query,
                handler: .now { call in
                    let runner = try platforms.chosen(by: call.query).faults
                    return call.json { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for fault in runner.pending { fault.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .post, Self.path, "createSandboxFault", access: .scope(.sandboxWrite), query: query, body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let runner = try platforms.chosen(by: call.query).faults
                    let body = try call.body { FaultBody(reading: &$0, of: runner.kinds) }
                    let fault = body.fault(in: runner.environment)
                    guard runner.add(fault) else {
                        throw Problem(.invalidValue, "Too many faults are waiting already.")
                    }
                    return call.json(status: 201, headers: [("Location", Self.path)]) { fault.encode(to: &$0) }
                }
            ).audited(as: "fault.created"),
            Route(
                .delete, Self.path, "deleteSandboxFaults", access: .scope(.sandboxWrite), query: query,
                handler: .aside { call in
                    try platforms.chosen(by: call.query).faults.removeAll()
                    return call.noContent()
                }
            ).audited(as: "fault.allRemoved"),
        ]
    }
}

/// What a fault is to be. By default it happens once, and delays by 1000 ms; one that lasts for a time happens any
/// number of times. Times are at most a day, the delay 10 minutes.
struct FaultBody {
    private var fault: Fault

    /// - Parameter kinds: those that the platform can cause.
    init(reading object: inout ObjectReader, of kinds: [Fault.Kind]) {
        fault = Fault(id: "", kind: object.requiredChoice("kind", of: kinds) ?? .dropSocket)
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

    /// The fault that the body describes, with an id, and with a seed if it needs one. Members that the kind does not use
    /// are kept and ignored.
    func fault(in environment: ModelEnvironment) -> Fault {
        var fault = fault
        fault.id = environment.makeID()
        if fault.probability != nil, fault.seed == nil {
            fault.seed = Int(environment.random() * Double(1 << 31))
        }
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
        if delays { json.member("milliseconds", milliseconds) }
        json.member("errorCode", errorCode)
        json.endObject()
    }
}
