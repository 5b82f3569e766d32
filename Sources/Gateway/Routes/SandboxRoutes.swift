import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The paths of the platform that a sandbox stands in for; they are the platform's, and take no token of the gateway.
package struct SandboxRoutes: RouteGroup {
    /// Of a body with a file of 40 MiB in base64.
    private static let uploadLimit = 64 << 20
    private static let bodyLimit = 1 << 20
    private static let channel = "/chat/1.0/brand/{brand}/channel/{channel}"
    private static let visitor = "/web-analytics/1.0/tenants/{brand}/visitors/{visitor}"

    let sandbox: any SandboxPlatform

    package init(_ sandbox: any SandboxPlatform) { self.sandbox = sandbox }

    package var routes: [Route] {
        let sandbox = sandbox
        var files = Route(.get, "/chat/1.0/brand/{brand}/attachments/{attachment}", "getSandboxAttachment", access: .open, query: .any, handler: .later { call in
            let id = call.parameters["attachment"]
            guard call.parameters["brand"] == "\(sandbox.brandID)" else { throw ChatError.unknownAttachment(id) }
            return try await call.file(sandbox.attachment(id))
        })
        files.isShared = true
        return [
            Route(.get, "/socket", "openSandboxSocket", access: .open, query: .any, handler: .now { sandbox.open($0.request) }),
            route(.get, Self.channel, "getSandboxChannel", .configuration),
            route(.get, "\(Self.channel)/availability", "getSandboxAvailability", .availability),
            route(.get, "\(Self.channel)/persistent-menu-items", "getSandboxMenu", .menu),
            route(.post, "\(Self.channel)/attachment", "uploadSandboxAttachment", .upload, limit: Self.uploadLimit),
            files,
            route(.get, "/chat/1.0/brand/{brand}/events/{event}", "getSandboxEvent", .largeEvent),
            route(.put, Self.visitor, "putSandboxVisitor", .visitor),
            route(.post, "\(Self.visitor)/events", "postSandboxVisitorEvent", .visitorEvents),
            route(.post, "/oauth/token", "postSandboxToken", .token),
        ] + faults
    }

    package func upgrade(_ request: HTTPRequest) -> HTTPResponse? { sandbox.isSocket(request) ? sandbox.open(request) : nil }

    private func route(
        _ method: Method, _ template: String, _ operationID: String, _ operation: SandboxOperation, limit: Int = bodyLimit
    ) -> Route {
        let sandbox = sandbox
        var route = Route(
            method, template, operationID, access: .open, query: .any, body: method == .get ? .none : .foreign(limit: limit),
            handler: .later { call in await sandbox.answer(operation, call.request, call.parameters) })
        route.isShared = true
        return route
    }

    // MARK: Faults

    private var faults: [Route] {
        let sandbox = sandbox
        return [
            Route(.get, "/v1/sandbox/faults", "listSandboxFaults", access: .gateway, handler: .now { call in
                call.json { json in
                    json.beginObject()
                    json.name("items")
                    json.beginArray()
                    for fault in sandbox.faults() { fault.encode(to: &json) }
                    json.endArray()
                    json.endObject()
                }
            }),
            Route(.post, "/v1/sandbox/faults", "createSandboxFault", access: .gateway, body: .json, idempotency: .recorded, handler: .later { call in
                let body: FaultBody = try call.body()
                let fault = body.fault(id: sandbox.makeID())
                guard sandbox.add(fault) else { throw Problem(.invalidValue, "Too many faults are due already.") }
                return call.json(status: 201) { fault.encode(to: &$0) }
            }),
            Route(.delete, "/v1/sandbox/faults", "deleteSandboxFaults", access: .gateway, handler: .now { call in
                sandbox.removeFaults()
                return call.noContent()
            }),
        ]
    }
}

/// `{"kind","customer"?,"event"?,"count"?,"milliseconds"?,"errorCode"?}`
struct FaultBody: RequestBody {
    let kind: SandboxFault.Kind
    let customer: String?
    let event: String?
    let count: Int
    let milliseconds: Int
    let errorCode: String?

    init(reading object: inout ObjectReader) {
        kind = object.requiredChoice("kind", of: SandboxFault.Kind.allCases) ?? .dropSocket
        customer = object.optionalID("customer")
        event = object.optionalString("event", length: 1...64)
        count = object.optionalInteger("count", in: 1...1000) ?? 1
        milliseconds = object.optionalInteger("milliseconds", in: 0...600_000) ?? 1000
        errorCode = object.optionalString("errorCode", length: 1...64)
    }

    func fault(id: String) -> SandboxFault {
        SandboxFault(id: id, kind: kind, customer: customer, event: event, count: count, milliseconds: milliseconds, errorCode: errorCode)
    }
}

extension SandboxFault {
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

extension InfoRoutes {
    /// How clients of the platform are pointed here: `{"url","socket","brandId","channels"}`.
    static func encode(_ sandbox: any SandboxPlatform, host: String, to json: inout JSONWriter) {
        json.name("sandbox")
        json.beginObject()
        json.member("url", "http://\(host)")
        json.member("socket", "ws://\(host)/socket")
        json.member("brandId", sandbox.brandID)
        json.name("channels")
        json.beginArray()
        for channel in (try? sandbox.channels()) ?? [] {
            json.beginObject()
            json.member("id", channel.id)
            json.member("channel", channel.channel)
            json.member("authorization", channel.authorization)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
