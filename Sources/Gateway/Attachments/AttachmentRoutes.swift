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

/// The member `attachments`, `[{"id"}]`: uploaded files that a message is to carry.
enum AttachmentList {
    /// The ids in their order; empty when the member is missing. More than a message may carry is a fault.
    static func optional(_ object: inout ObjectReader) -> [String] {
        let references =
            object.objects(object.optional("attachments"), "attachments", as: AttachmentReference.self) ?? []
        if references.count > MessageDraft.maximumAttachments {
            object.reject("attachments", "a message carries at most \(MessageDraft.maximumAttachments) attachments")
        }
        return references.map(\.id)
    }
}

/// `{"id"}`: one uploaded file. The id may belong to no file; the chat checks that.
struct AttachmentReference: RequestBody {
    let id: String

    init(reading object: inout ObjectReader) { id = object.requiredID("id") }
}

/// `{"isAttachmentsEnabled"?,"maximumSize"?,"allowedTypes"?}`: which files a channel takes. A member that is left out
/// means no restriction.
struct FileRestrictionsBody: RequestBody {
    /// The size is in bytes, 1 to 2^40; types are in lower case, such as `image/png` or `image/*`.
    let restrictions: FileRestrictions

    init(reading object: inout ObjectReader) {
        var restrictions = FileRestrictions.embedded
        restrictions.isAttachmentsEnabled = object.optionalBool("isAttachmentsEnabled") ?? true
        if let size = object.optional("maximumSize") {
            if let number = size.wholeNumber, (1...(1 << 40)).contains(number) {
                restrictions.maximumSize = number
            } else {
                object.reject("maximumSize", "a number of bytes from 1 to 2^40 was expected")
            }
        }
        if let types = object.optional("allowedTypes") {
            let texts = types.array?.map { $0.string ?? "" } ?? []
            if (1...100).contains(texts.count), texts.allSatisfy(Self.isType) {
                restrictions.allowedTypes = texts.map { $0.lowercased() }
            } else {
                object.reject("allowedTypes", "1 to 100 media types like image/png or image/* were expected")
            }
        }
        self.restrictions = restrictions
    }

    private static func isType(_ text: String) -> Bool {
        MediaType(text).map { $0.essence == text.lowercased() } ?? false
    }
}
