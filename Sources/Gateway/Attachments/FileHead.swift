import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// What the headers of an upload say about the file in its body.
struct FileHead: Sendable {
    /// From `Content-Disposition`, cleaned.
    let name: String
    /// From `Content-Type`, with its parameters.
    let mimeType: String
    /// From `Repr-Digest`; empty without it.
    let digest: ReprDigest

    private static let hint = "The body is the file itself: curl --data-binary @photo.png -H 'Content-Type: image/png'."

    /// The answer to an empty file, which no channel accepts.
    static var empty: Problem { tooLarge(ChatError(.invalidFileSize, "The file is empty.")) }

    /// Reads the headers and checks them against the channel's restrictions, before the body is sent. Without
    /// `Content-Length`, the size is checked only while the body comes.
    ///
    /// Throws `unsupportedMediaType`, `invalidHeader`, `attachmentError`, `invalidFileType`, `invalidFileSize`.
    init(_ request: HTTPRequest, for restrictions: FileRestrictions) throws {
        guard let header = request.headers["Content-Type"], let type = MediaType(header) else {
            throw Problem(.unsupportedMediaType, "The file's own type is needed as Content-Type. \(Self.hint)")
        }
        // A form is not the file: its bytes would be kept with the form's boundaries, or without its line ends.
        guard !type.isForm else {
            throw Problem(.unsupportedMediaType, "A form (\(type.essence)) is not taken. \(Self.hint)")
        }
        name = try FileNameHeader.read(request.headers["Content-Disposition"])
        mimeType = type.text
        digest = try request.headers["Repr-Digest"].map { try ReprDigest($0) } ?? ReprDigest()
        let announced = request.headers["Content-Length"].flatMap { Int64($0) }
        try Self.check(restrictions, mimeType: mimeType, size: announced)
    }

    /// - Parameter size: bytes; nil when the client did not announce them.
    private static func check(_ restrictions: FileRestrictions, mimeType: String, size: Int64?) throws(Problem) {
        do throws(ChatError) {
            try restrictions.check(mimeType: mimeType, size: size)
        } catch {
            throw error.code == .invalidFileSize ? tooLarge(error) : Problem(error)
        }
    }

    /// The error with status 413, which HTTP has for a body that is too large; elsewhere the same code has 422.
    static func tooLarge(_ error: ChatError) -> Problem {
        var problem = Problem(error)
        problem.status = 413
        return problem
    }
}
