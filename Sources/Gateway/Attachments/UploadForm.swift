import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// A form that carries one file, in the field `file`: finds the file's bytes in it, and judges it as if it had come
/// alone.
///
/// After a fault the rest of the form is ignored, because an answer can be sent only after the body's end.
struct UploadForm: Sendable {
    /// What a form may have beside the file, in bytes: 16 KiB.
    static let allowance = 16 << 10

    private let restrictions: FileRestrictions
    /// The request's own `Content-Disposition`, which wins over the part's.
    private let disposition: String?
    private var reader: MultipartReader
    private var head: FileHead?
    private var size: Int64 = 0
    private var fault: Problem?

    /// Throws `invalidForm`, and `attachmentError` if no file at all is accepted.
    init(_ request: HTTPRequest, boundary: String?, for restrictions: FileRestrictions) throws {
        self.restrictions = restrictions
        disposition = request.headers["Content-Disposition"]
        reader = try MultipartReader(boundary: boundary)
        try FileHead.check(restrictions, mimeType: nil, size: nil)
    }

    /// Reads a piece of the form, and appends the file's bytes in it to `file`.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into file: inout [UInt8]) {
        guard fault == nil else { return }
        let start = file.count
        do throws(Problem) {
            var rest = bytes[...]
            while let part = try reader.next(in: &rest, content: &file) { try begin(part) }
            size += Int64(file.count - start)
            if size > restrictions.maximumSize { try FileHead.check(restrictions, mimeType: nil, size: size) }
        } catch {
            fault = error
        }
    }

    /// The file's name and type. Throws what was wrong with the form or the file.
    func finish() throws(Problem) -> FileHead {
        if let fault { throw fault }
        try reader.finish()
        guard let head else { throw Problem(.invalidForm, "The form has no field file. \(FileHead.hint)") }
        return head
    }

    private mutating func begin(_ part: MultipartPart) throws(Problem) {
        guard part.name == "file" else {
            let item = Problem.Item(
                .unknownMember, pointer: ObjectReader.pointer(to: part.name),
                "The form has one field: file. \(FileHead.hint)")
            throw Problem(items: [item])
        }
        guard head == nil else { throw Problem(.invalidForm, "The form has two files; an upload takes one.") }
        // A program that does not tell the type does not know it: RFC 7578, 4.4 has application/octet-stream for that.
        head = try FileHead(
            type: part.type ?? "application/octet-stream", disposition: disposition ?? part.disposition, size: nil,
            for: restrictions)
    }
}

/// What headers say about a file: those of a request whose body is the file, or those of a part of a form.
struct FileHead: Sendable {
    /// From `Content-Disposition`, cleaned.
    let name: String
    /// From `Content-Type`, with its parameters.
    let mimeType: String

    fileprivate static let hint = """
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
