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
