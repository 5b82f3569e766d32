import Chat
import ChatModel
import HTTPRouting

/// What headers say about a file: those of a request whose body is the file, or those of a part of a form.
struct FileHead: Sendable {
    /// From `Content-Disposition`, cleaned.
    let name: String
    /// From `Content-Type`, with its parameters.
    let mimeType: String

    static let hint = """
        Send a form: curl -F file=@photo.png. \
        Or the file itself: curl --data-binary @photo.png -H 'Content-Type: image/png'.
        """

    /// The answer to an empty file, which no channel accepts.
    static var empty: Problem { Problem(ChatError(.emptyFile, "The file has no bytes.")) }

    /// Checks the file against the channel's restrictions, before its bytes come.
    ///
    /// Throws `unsupportedMediaType`, `invalidHeader`, `attachmentError`, `invalidFileType`, `invalidFileSize`,
    /// `emptyFile`.
    ///
    /// - Parameter size: bytes; nil when the client did not announce them. Then the size is checked while they come.
    init(type: String?, disposition: String?, size: Int64?, for restrictions: FileRestrictions) throws(Problem) {
        guard let type = type.flatMap(MediaType.init) else {
            throw Problem(.unsupportedMediaType, "The file's own type is needed as Content-Type. \(Self.hint)")
        }
        // A form is not the file: its bytes would be kept with the form's boundaries, or without its line ends.
        guard !type.isForm else {
            throw Problem(.unsupportedMediaType, "\(type.essence) is not taken for a file. \(Self.hint)")
        }
        name = try FileNameHeader.read(disposition)
        mimeType = type.text
        try Self.check(restrictions, mimeType: mimeType, size: size)
    }

    /// - Parameters:
    ///   - mimeType: nil if it is not known yet.
    ///   - size: bytes; nil if they are not known yet.
    static func check(_ restrictions: FileRestrictions, mimeType: String?, size: Int64?) throws(Problem) {
        do throws(ChatError) {
            try restrictions.check(mimeType: mimeType, size: size)
        } catch {
            throw error.code == .invalidFileSize ? tooLarge(error) : Problem(error)
        }
    }

    /// The error with status 413, which HTTP has for a body that is too large; elsewhere the same code has 422.
    private static func tooLarge(_ error: ChatError) -> Problem {
        var problem = Problem(error)
        problem.status = 413
        return problem
    }
}
