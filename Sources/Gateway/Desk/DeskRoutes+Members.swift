import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// The changes that the desk makes to threads: to create one with several customers, to change its members, to reset its
/// history, and to remove it.
extension DeskRoutes {
    var members: [Route] {
        let desk = desk
        return [
            Route(
                .post, "/v1/desk/threads", "createDeskThread", access: .scope(.deskWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body: NewDeskThread = try call.body()
                    try call.rights.require(channel: body.draft.channel)
                    return call.outcome(
                        try await desk.createThread(body.draft, as: nil, receipt: call.receipt))
                }),
            Route(
                .patch, Self.one, "updateDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json,
                isVersioned: true,
                handler: .aside { call in
                    let body: DeskThreadPatchBody = try call.body()
                    let thread = try call.deskThread
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await desk.thread(thread).version
                    }
                    return call.outcome(
                        try await desk.update(thread, body.patch, ifMatch: version, as: try call.actingAgent))
                }),
            Route(
                .delete, Self.one, "deleteDeskThread", access: .scope(.deskManage), query: .only(Self.acting),
                isVersioned: true,
                handler: .aside { call in
                    let thread = try call.deskThread
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await desk.thread(thread).version
                    }
                    try await desk.remove(thread, ifMatch: version, as: try call.actingAgent)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/members", "addDeskMembers", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body: NewMembers = try call.body()
                    return call.outcome(
                        try await desk.add(
                            body.members, to: try call.deskThread, as: try call.actingAgent, receipt: call.receipt))
                }),
            Route(
                .delete, "\(Self.one)/members/{member}", "removeDeskMember", access: .scope(.deskWrite),
                query: .only(Self.acting),
                handler: .aside { call in
                    try await desk.remove(
                        member: call.parameters["member"], from: try call.deskThread, as: try call.actingAgent)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/resetHistory", "resetDeskThreadHistory", access: .scope(.deskManage),
                query: .only(Self.acting),
                idempotency: .carried,
                handler: .aside { call in
                    call.outcome(
                        try await desk.resetHistory(
                            try call.deskThread, as: try call.actingAgent, receipt: call.receipt))
                }),
        ]
    }
}
