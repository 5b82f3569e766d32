import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// The handling of a thread: to assign, close and release it, and to end its contact.
extension DeskRoutes {
    var live: [Route] {
        let desk = desk
        return [
            Route(
                .post, "\(Self.one)/assign", "assignDeskThread", access: .gateway, query: .only(Self.which),
                body: .json, idempotency: .carried,
                handler: .later { call in
                    let body: Assignment = try call.body()
                    return call.outcome(
                        try await desk.assign(body.agent, to: try call.deskThread, receipt: call.receipt))
                }),
            action("close", "closeDeskThread") { try await desk.close($0, receipt: $1) },
            action("release", "releaseDeskThread") { try await desk.release($0, receipt: $1) },
            action("endContact", "endDeskContact") { try await desk.endContact($0, receipt: $1) },
        ]
    }

    /// A POST route without a body, whose operation stores its receipt in its own transaction.
    private func action(
        _ name: String, _ operationID: String,
        _ operate: @escaping @Sendable (DeskThread, Receipt?) async throws -> Outcome
    ) -> Route {
        Route(
            .post, "\(Self.one)/\(name)", operationID, access: .gateway, query: .only(Self.which),
            idempotency: .carried,
            handler: .later { call in
                call.outcome(try await operate(try call.deskThread, call.receipt))
            })
    }
}
