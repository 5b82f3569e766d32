import ChatModel
import HTTPRouting
import MicroHTTP

/// How a file comes in a request's body.
enum UploadBody: Sendable {
    /// The body is the file.
    case file(FileHead)
    case form(UploadForm)

    /// Decides by the head alone. Throws what ``FileHead`` and ``UploadForm`` throw.
    init(_ request: HTTPRequest, for restrictions: FileRestrictions) throws {
        let header = request.headers["Content-Type"]
        if let type = header.flatMap(MediaType.init), type.essence == "multipart/form-data" {
            self = .form(try UploadForm(request, boundary: type.boundary, for: restrictions))
        } else {
            let size = request.headers["Content-Length"].flatMap { Int64($0) }
            let disposition = request.headers["Content-Disposition"]
            self = .file(try FileHead(type: header, disposition: disposition, size: size, for: restrictions))
        }
    }

    /// The bytes that a body may have for a file of `size` bytes.
    func limit(_ size: Int64) -> Int {
        switch self {
        case .file: Int(size)
        case .form: min(Int(size), .max - UploadForm.allowance) + UploadForm.allowance
        }
    }

    /// Appends the file's bytes in a piece of the body to `file`.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into file: inout [UInt8]) {
        switch self {
        case .file: file.append(contentsOf: bytes)
        case .form(var form):
            form.read(bytes, into: &file)
            self = .form(form)
        }
    }

    /// The file's name and type, once the body is complete. Throws what was wrong with a form.
    func finish() throws(Problem) -> FileHead {
        switch self {
        case .file(let head): head
        case .form(let form): try form.finish()
        }
    }
}
