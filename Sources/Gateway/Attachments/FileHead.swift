import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// What a request says of the file that is its body.
struct FileHead: Sendable {
    let name: String
    let mimeType: String
    let digest: ReprDigest

    private static let hint = "The body is the file itself: curl --data-binary @photo.png -H 'Content-Type: image/png'."

    /// Nobody takes an empty file.
    static var empty: Problem { tooLarge(ChatError(.invalidFileSize, "The file is empty.")) }

    /// Reads the head and holds it to the channel's restrictions, so that a file that is not taken need not be sent.
    ///
    /// Throws `unsupportedMediaType`, `invalidHeader`, `attachmentError`, `invalidFileType`, `invalidFileSize`.
    init(_ request: HTTPRequest, for restrictions: FileRestrictions) throws {
        guard let header = request.headers["Content-Type"], let type = MediaType(header) else {
            throw Problem(.unsupportedMediaType, "The file's own type is needed as Content-Type. \(Self.hint)")
        }
        // A form is not the file: its bytes would be kept with the form's boundaries, or without its line ends.
        guard !type.isForm else { throw Problem(.unsupportedMediaType, "A form (\(type.essence)) is not taken. \(Self.hint)") }
        name = try FileNameHeader.read(request.headers["Content-Disposition"])
        mimeType = type.text
        digest = try request.headers["Repr-Digest"].map { try ReprDigest($0) } ?? ReprDigest()
        let announced = request.headers["Content-Length"].flatMap { Int64($0) }
        try Self.check(restrictions, mimeType: mimeType, size: announced)
    }

    private static func check(_ restrictions: FileRestrictions, mimeType: String, size: Int64?) throws(Problem) {
        do throws(ChatError) {
            try restrictions.check(mimeType: mimeType, size: size)
        } catch {
            throw error.code == .invalidFileSize ? tooLarge(error) : Problem(error)
        }
    }

    /// The status that HTTP has for a body which is too large.
    static func tooLarge(_ error: ChatError) -> Problem {
        var problem = Problem(error)
        problem.status = 413
        return problem
    }
}
