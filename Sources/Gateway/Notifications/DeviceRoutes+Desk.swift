import Chat
import ChatStore
import HTTPRouting
import MicroHTTP

/// The desk's devices: the browsers of agents that get pushes.
extension DeviceRoutes {
    private static let list = "/v1/desk/devices"
    private static let member = "/v1/desk/devices/{device}"

    /// These routes need the gateway's token, like everything at the desk.
    var desk: [Route] {
        let devices = deskDevices
        return [
            Route(
                .get, Self.list, "listDeskDevices", access: .gateway,
                handler: .aside { call in
                    // Take the cursor before the list is read: a client that follows from it misses nothing.
                    let cursor = call.headCursor
                    return call.list(try await devices.get().deskDevices().map(\.json), next: nil, cursor: cursor)
                }),
            Route(
                .post, Self.list, "createDeskDevice", access: .gateway, body: .json, idempotency: .carried,
                handler: .aside { call in
                    let devices = try devices.get()
                    let body: DeviceBody = try call.body()
                    return call.outcome(
                        try await devices.registerAtDesk(body.registration, receipt: call.receipt))
                }),
            Route(
                .get, Self.member, "getDeskDevice", access: .gateway,
                handler: .aside { call in
                    call.json(try await devices.get().deskDevice(call.parameters["device"]).json)
                }),
            Route(
                .delete, Self.member, "deleteDeskDevice", access: .gateway,
                handler: .aside { call in
                    try await devices.get().removeDeskDevice(call.parameters["device"])
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.member)/test", "testDeskDevice", access: .gateway, idempotency: .recorded,
                handler: .aside { call in
                    call.json(try await devices.get().testDeskDevice(call.parameters["device"]).json)
                }),
            Route(
                .get, "\(Self.member)/deliveries", "listDeskDeviceDeliveries", access: .gateway,
                query: .only(["limit", "cursor", "state"]),
                handler: .aside { call in
                    let page = try await devices.get().deliveries(
                        ofDeskDevice: call.parameters["device"], state: call.query.deliveryState(), call.query.page())
                    return Self.answer(page, to: call)
                }),
        ]
    }
}

extension QueryReader {
    /// The state by which a list of deliveries is filtered, `?state=`; nil for all. Throws `invalidParameter`.
    func deliveryState() throws(Problem) -> DeliveryState? {
        self["state"] == nil ? nil : try choice("state", default: DeliveryState.pending)
    }
}
