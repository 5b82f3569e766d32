import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

extension Call {
    /// Answers with a file.
    func file(_ open: OpenAttachment) throws(Problem) -> HTTPResponse {
        let attachment = open.attachment
        return try ServedFile(
            owning: open.descriptor, name: attachment.name, type: attachment.mimeType, size: attachment.size,
            digest: open.digest
        ).response(to: request)
    }

    /// The file that came, which is the handler's from now on. Throws `invalidFileSize` when there was none.
    func uploaded() throws(Problem) -> FileUpload {
        guard let file = (request.sink as? Upload)?.take() else { throw FileHead.empty }
        return file
    }
}

extension Route.Body {
    /// A file of any type, streamed to the disk.
    ///
    /// - Parameter restrictions: says what is taken. It runs on the loop's thread.
    static func file(_ restrictions: @escaping @Sendable (Call) throws -> FileRestrictions) -> Self {
        .streamed { call in
            let allowed = try restrictions(call)
            let (head, store, number) = (try FileHead(call.request, for: allowed), call.core.store, call.request.number)
            return .stream(limit: Int(allowed.maximumSize)) { flow in
                Upload(head, store: store, flow: flow, number: number)
            }
        }
    }
}
