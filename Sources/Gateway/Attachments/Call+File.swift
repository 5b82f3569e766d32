import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

extension Call {
    /// Answers with a stored file, or a range of it. The answer owns the open descriptor. Throws `rangeNotSatisfiable`.
    func file(_ open: OpenAttachment) throws(Problem) -> HTTPResponse {
        let attachment = open.attachment
        return try ServedFile(
            owning: open.descriptor, name: attachment.name, type: attachment.mimeType, size: attachment.size,
            digest: open.digest
        ).response(to: request)
    }

    /// The file that came as the body. The caller owns it from now on, so the second call throws. Throws
    /// `emptyFile` when there is none.
    func uploaded() throws(Problem) -> FileUpload {
        guard let file = (request.sink as? Upload)?.take() else { throw FileHead.empty }
        return file
    }
}

extension Route.Body {
    /// A body that is one file of any type, or a form with one; the file is streamed to the disk.
    ///
    /// - Parameter restrictions: which files are accepted. It is asked before any of the body is read.
    static func file(_ restrictions: @escaping @Sendable (Call) async throws -> FileRestrictions) -> Self {
        .streamed { call in
            let allowed = try await restrictions(call)
            let body = try UploadBody(call.request, for: allowed)
            let digests = try DigestField.Name.allCases.map { try DigestField($0, of: call.request) }
            let (store, number) = (call.core.store, call.request.number)
            return .stream(limit: body.limit(allowed.maximumSize)) { flow in
                Upload(body, digests: digests, store: store, flow: flow, number: number)
            }
        }
    }
}
