import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// Upload and download of a session's files; the desk's are made by ``routes(of:)``. A file is uploaded first, and a
/// message then refers to it by its id.
struct AttachmentRoutes: RouteGroup {
    private static let list = "/v1/sessions/{session}/attachments"

    var routes: [Route] {
        [
            Route(
                .post, Self.list, "uploadAttachment", access: .session(.sessionsWrite),
                body: .file { try $0.client().fileRestrictions() },
                idempotency: .carried,
                handler: .aside { call in
                    var upload = try call.uploaded()
                    upload.isCounted = call.identity.isCounted
                    return call.outcome(try await call.client().attach(upload, receipt: call.receipt))
                }
            ).counted(as: .uploads),
            Route(
                .get, "\(Self.list)/{attachment}", "getAttachment", access: .session(.sessionsRead),
                query: .only([Ticket.parameter]),
                handler: .aside { call in
                    try await call.file(call.client().attachment(call.parameters["attachment"]))
                }),
        ]
    }

    /// The same routes at the desk.
    static func routes(of desk: any DeskService) -> [Route] {
        let list = "/v1/desk/attachments"
        return [
            Route(
                .post, list, "uploadDeskAttachment", access: .scope(.deskWrite),
                body: .file { _ in try await desk.fileRestrictions() },
                idempotency: .carried,
                handler: .aside { call in
                    call.outcome(try await desk.attach(call.uploaded(), receipt: call.receipt))
                }),
            Route(
                .get, "\(list)/{attachment}", "getDeskAttachment", access: .scope(.deskRead),
                query: .only([Ticket.parameter]),
                handler: .aside { call in
                    try await call.file(
                        desk.attachment(call.parameters["attachment"], within: call.rights.channels))
                }),
        ]
    }
}
