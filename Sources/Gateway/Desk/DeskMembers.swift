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

/// `{"id"?,"channel","members":[...],"name"?,"customType"?,"customFields"?}`: a thread that the desk creates.
struct NewDeskThread: RequestBody {
    let draft: DeskThreadDraft

    init(reading object: inout ObjectReader) {
        draft = DeskThreadDraft(
            id: object.optionalID("id"), channel: object.requiredKey("channel", length: 1...64),
            members: MemberBody.list(&object), name: object.optionalString("name", length: 1...256),
            customType: object.optionalKey("customType", length: 1...128),
            customFields: CustomFieldsBody.optional(&object) ?? [:])
    }
}

/// `{"members":[{"id","firstName"?,"lastName"?,"memberState"?}]}`: customers to add to a thread.
private struct NewMembers: RequestBody {
    let members: [MemberDraft]

    init(reading object: inout ObjectReader) { members = MemberBody.list(&object) }
}

/// `{"id","firstName"?,"lastName"?,"memberState"?}`: a customer as a member of a thread; joined at once by default.
struct MemberBody: RequestBody {
    let draft: MemberDraft

    init(reading object: inout ObjectReader) {
        draft = MemberDraft(
            id: object.requiredID("id"), firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256),
            state: object.optionalChoice("memberState", of: MemberState.allCases) ?? .joined)
    }

    /// The member `members`: 1 to 100 customers.
    static func list(_ object: inout ObjectReader) -> [MemberDraft] {
        object.objects(
            object.required("members"), "members", count: 1...ThreadRules.maximumMembers, as: MemberBody.self)?.map(
                \.draft) ?? []
    }
}

/// `{"name"?: "..." | null, "customType"?: "..." | null}`: null removes the value, and a missing member leaves it as it
/// is (RFC 7396).
private struct DeskThreadPatchBody: RequestBody {
    /// Each value has three forms: unchanged, removed, or a new text.
    let patch: DeskThreadPatch

    init(reading object: inout ObjectReader) {
        patch = DeskThreadPatch(
            name: object.removable("name") { $0.optionalString($1, length: 1...256) },
            customType: object.removable("customType") { $0.optionalKey($1, length: 1...128) })
    }
}

extension ObjectReader {
    /// A member that null removes. The outer nil means that the member is missing, the inner one that it is null.
    mutating func removable<T>(_ name: String, _ read: (inout ObjectReader, String) -> T?) -> T?? {
        switch optional(name) {
        case nil: .none
        case .null: .some(nil)
        default: .some(read(&self, name))
        }
    }
}
