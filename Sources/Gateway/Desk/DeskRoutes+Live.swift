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
                .post, "\(Self.one)/assign", "assignDeskThread", access: .gateway, query: .only(Self.acting),
                body: .json, idempotency: .carried, isVersioned: true,
                handler: .aside { call in
                    let body: Assignment = try call.body()
                    return call.outcome(
                        try await desk.assign(
                            body.agent, to: try call.deskThread, as: try call.actingAgent, if: body.condition,
                            ifMatch: try await version(call), receipt: call.receipt))
                }),
            action("close", "closeDeskThread") {
                try await desk.close($0, as: $1, if: nil, ifMatch: $2, receipt: $3)
            },
            action("release", "releaseDeskThread") {
                try await desk.release($0, as: $1, if: nil, ifMatch: $2, receipt: $3)
            },
            action("endContact", "endDeskContact") { try await desk.endContact($0, as: $1, ifMatch: $2, receipt: $3) },
        ]
    }

    /// A POST route without a body, whose operation stores its receipt in its own transaction.
    private func action(
        _ name: String, _ operationID: String,
        _ operate: @escaping @Sendable (DeskThread, Agent?, Int64?, Receipt?) async throws -> Outcome
    ) -> Route {
        Route(
            .post, "\(Self.one)/\(name)", operationID, access: .gateway, query: .only(Self.acting),
            idempotency: .carried, isVersioned: true,
            handler: .aside { call in
                call.outcome(
                    try await operate(
                        try call.deskThread, try call.actingAgent, try await version(call), call.receipt))
            })
    }

    /// The version of the thread that `If-Match` names; nil without the header. Throws `preconditionFailed`.
    private func version(_ call: Call) async throws -> Int64? {
        let thread = try call.deskThread
        return try await call.expectedVersion { () async throws(ChatError) in try await desk.thread(thread).version }
    }
}
