import ChatModel
import Formats
import HTTPRouting
import SendbirdWire

/// The body of a message that is sent: JSON, or a form (`multipart/form-data`) whose fields are the members, and which may
/// have one file.
enum FileForm {
    struct File: Sendable {
        var name: String
        var type: String
        var bytes: [UInt8]
    }

    /// Bytes of a form's fields beside the file, at most.
    private static let fieldBytes = 256 << 10
    private static let mostFields = 64

    static func read<T: SendbirdRequestBody>(
        _ request: SandboxRequest, as type: T.Type = T.self
    ) throws(SendbirdError) -> (message: T, file: File?) {
        guard let form = request.contentType.flatMap(MediaType.init), form.essence == "multipart/form-data" else {
            guard request.body.count <= SendbirdBound.request else {
                throw SendbirdError(.tooLong, "The body is too long.")
            }
            return (try request.read(type), nil)
        }
        let parts = try parts(request.body, boundary: form.boundary)
        var (json, file, size) = (JSONWriter(), File?.none, 0)
        json.beginObject()
        for (part, content) in parts {
            if part.name == "file", file == nil {
                let name = FileName.clean((try? FileNameHeader.read(part.disposition)) ?? "", or: "file")
                file = File(name: name, type: FileName.cleanType(part.type ?? ""), bytes: content)
                continue
            }
            size += content.count
            guard size <= fieldBytes else { throw SendbirdError(.tooLong, "The fields of the form are too long.") }
            json.name(part.name)
            json.value(String(decoding: content, as: UTF8.self))
        }
        json.endObject()
        return (try request.read(json.bytes, as: type), file)
    }

    private static func parts(
        _ body: [UInt8], boundary: String?
    ) throws(SendbirdError) -> [(part: MultipartPart, content: [UInt8])] {
        do throws(Problem) {
            var reader = try MultipartReader(boundary: boundary)
            var parts: [(part: MultipartPart, content: [UInt8])] = []
            let read: Result<Void, Problem> = body.withUnsafeBytes { bytes in
                Result { () throws(Problem) in
                    var (rest, content) = (bytes[...], [UInt8]())
                    while parts.count <= mostFields, let part = try reader.next(in: &rest, content: &content) {
                        if !parts.isEmpty { parts[parts.count - 1].content = content }
                        content = []
                        parts.append((part, []))
                    }
                    if !parts.isEmpty { parts[parts.count - 1].content = content }
                }
            }
            try read.get()
            guard parts.count <= mostFields else { throw Problem(.invalidForm, "It has too many fields.") }
            try reader.finish()
            return parts
        } catch {
            throw SendbirdError(.bodyNotJSON, "The body is no form: \(error.detail ?? "")")
        }
    }
}
