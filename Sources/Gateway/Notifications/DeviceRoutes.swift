import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// The devices of sessions and of the desk that get pushes. The module that sends the pushes provides the services.
package struct DeviceRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}/device"
    /// Both are a problem in a gateway that was built without what sends pushes.
    private let devices: Result<any DeviceService, Problem>
    let deskDevices: Result<any DeskDeviceService, Problem>

    package init(devices: Result<any DeviceService, Problem>, deskDevices: Result<any DeskDeviceService, Problem>) {
        self.devices = devices
        self.deskDevices = deskDevices
    }

    /// Registrations have the secrets of devices.
    package var routes: [Route] { (sessions + desk).map { $0.traced(.secret) } }

    /// The one device of a session, and what pushes are possible here (`/v1/push`).
    private var sessions: [Route] {
        let devices = devices
        return [
            Route(
                .get, "/v1/push", "getPush", access: .known,
                handler: .now { call in
                    let devices = try devices.get()
                    return call.json { json in
                        json.beginObject()
                        json.member("applicationServerKey", devices.applicationServerKey)
                        json.name("apps")
                        json.beginArray()
                        for app in devices.apps { json.raw(app.json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .get, Self.one, "getDevice", access: .session(.sessionsRead),
                handler: .aside { call in
                    let client = try call.client()
                    return call.json(try await devices.get().device(of: client.id, account: client.account).json)
                }),
            Route(
                .put, Self.one, "setDevice", access: .session(.sessionsWrite), body: .json,
                handler: .aside { call in
                    let client = try call.client()
                    let devices = try devices.get()
                    let body: DeviceBody = try call.body()
                    var registration = body.registration
                    registration.needsKnownService = call.visitor != nil
                    let made = try await devices.register(
                        registration, of: client.id, account: client.account, onlyNew: call.mustBeNew)
                    guard made.isNew else { return call.json(made.device.json) }
                    return call.json(made.device.json, status: 201, headers: [("Location", call.request.path)])
                }),
            Route(
                .delete, Self.one, "deleteDevice", access: .session(.sessionsWrite),
                handler: .aside { call in
                    let client = try call.client()
                    try await devices.get().removeDevice(of: client.id, account: client.account)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/test", "testDevice", access: .session(.sessionsWrite), idempotency: .recorded,
                handler: .aside { call in
                    let client = try call.client()
                    return call.json(try await devices.get().test(client.id, account: client.account).json)
                }),
            Route(
                .get, "\(Self.one)/deliveries", "listDeviceDeliveries", access: .session(.sessionsRead),
                query: .only(["limit", "cursor", "state"]),
                handler: .aside { call in
                    let client = try call.client()
                    let page = try await devices.get().deliveries(
                        of: client.id, account: client.account, state: call.query.deliveryState(), call.query.page())
                    return Self.answer(page, to: call)
                }),
        ]
    }

    /// A page of deliveries to a device: `{"items":[...],"next"?}`.
    static func answer(_ page: ShownDeliveryPage, to call: Call) -> HTTPResponse {
        let headers = call.links(next: page.next, prev: nil).map { [("Link", $0)] } ?? []
        return call.json(headers: headers) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for item in page.items { json.raw(item.json) }
            json.endArray()
            json.member("next", page.next)
            json.endObject()
        }
    }
}

/// A device. Its members depend on its kind:
/// - `{"kind":"webPush","subscription","page"?}`: a browser; the subscription is what `PushSubscription.toJSON()` gives
///   (W3C Push API).
/// - `{"kind":"apns","token","topic"?,"os"?,"osVersion"?}`: an app that is reached by APNs.
/// - `{"kind":"fcm","token","project"?,"os"?,"osVersion"?}`: an app that is reached by FCM.
struct DeviceBody: RequestBody {
    /// The subscription and the token are checked when the device is registered.
    let registration: DeviceRegistration

    init(reading object: inout ObjectReader) {
        let kind = object.requiredChoice("kind", of: TargetKind.devices) ?? .webPush
        switch kind {
        case .webPush, .webhook, .platform, .callback:
            registration = DeviceRegistration(
                kind: kind, subscription: object.required("subscription"),
                page: object.optionalString("page", length: 1...256))
        case .apns: registration = Self.app(kind, named: "topic", tokenLength: 1...512, &object)
        case .fcm: registration = Self.app(kind, named: "project", tokenLength: 1...1024, &object)
        }
    }

    /// - Parameter name: the member that says which app it is.
    private static func app(
        _ kind: TargetKind, named name: String, tokenLength: ClosedRange<Int>, _ object: inout ObjectReader
    ) -> DeviceRegistration {
        DeviceRegistration(
            kind: kind, token: object.requiredString("token", length: tokenLength),
            app: object.optionalString(name, length: 1...256), os: object.optionalString("os", length: 1...64),
            osVersion: object.optionalString("osVersion", length: 1...64))
    }
}

/// The desk's devices: the browsers of agents that get pushes.
extension DeviceRoutes {
    private static let list = "/v1/desk/devices"
    private static let member = "/v1/desk/devices/{device}"

    /// These routes are for whoever works at the desk for all channels.
    var desk: [Route] {
        // A device hears of the conversations of all channels, so a key of some channels has nothing to do with it.
        let devices = { @Sendable [deskDevices] (call: Call) in
            try call.rights.require(channel: nil)
            return try deskDevices.get()
        }
        return [
            Route(
                .get, Self.list, "listDeskDevices", access: .scope(.deskRead),
                handler: .aside { call in
                    // Take the cursor before the list is read: a client that follows from it misses nothing.
                    let cursor = call.headCursor
                    return call.list(try await devices(call).deskDevices().map(\.json), next: nil, cursor: cursor)
                }),
            Route(
                .post, Self.list, "createDeskDevice", access: .scope(.deskWrite), body: .json, idempotency: .carried,
                handler: .aside { call in
                    let devices = try devices(call)
                    let body: DeviceBody = try call.body()
                    do {
                        return call.outcome(
                            try await devices.registerAtDesk(
                                body.registration, by: call.deskCredential, receipt: call.receipt))
                    } catch let error as ChatError where error.code == .unknownLogin {
                        throw Credentials.ended
                    }
                }),
            Route(
                .get, Self.member, "getDeskDevice", access: .scope(.deskRead),
                handler: .aside { call in
                    call.json(try await devices(call).deskDevice(call.parameters["device"]).json)
                }),
            Route(
                .delete, Self.member, "deleteDeskDevice", access: .scope(.deskWrite),
                handler: .aside { call in
                    try await devices(call).removeDeskDevice(call.parameters["device"])
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.member)/test", "testDeskDevice", access: .scope(.deskWrite), idempotency: .recorded,
                handler: .aside { call in
                    call.json(try await devices(call).testDeskDevice(call.parameters["device"]).json)
                }),
            Route(
                .get, "\(Self.member)/deliveries", "listDeskDeviceDeliveries", access: .scope(.deskRead),
                query: .only(["limit", "cursor", "state"]),
                handler: .aside { call in
                    let page = try await devices(call).deliveries(
                        ofDeskDevice: call.parameters["device"], state: call.query.deliveryState(), call.query.page())
                    return Self.answer(page, to: call)
                }),
        ]
    }
}

extension Call {
    /// The login or key of the caller, which registers a device. The device ends with it. Nil for the gateway's token.
    fileprivate var deskCredential: DeskCredential? {
        switch identity {
        case .operator(let login), .person(_, let login): .login(login)
        case .key(let id): .key(id, mark: Credentials.keyMark(of: request))
        case .nobody, .gateway, .session: nil
        }
    }
}

extension QueryReader {
    /// The state by which a list of deliveries is filtered, `?state=`; nil for all. Throws `invalidParameter`.
    func deliveryState() throws(Problem) -> DeliveryState? {
        self["state"] == nil ? nil : try choice("state", default: DeliveryState.pending)
    }
}
