import Formats

/// `POST /group_channels/{url}/messages` with a file: `multipart/form-data` (RFC 7578), whose other fields are the members
/// of the message.
package struct MessageForm: Sendable {
    package var message: SendMessage
    package var name: String
    /// Its media type.
    package var type: String
    package var file: [UInt8]

    /// - Parameters:
    ///   - name: cleaned by ``FileName``, as the type is.
    ///   - file: the file's bytes.
    package init(_ message: SendMessage, name: String, type: String, file: [UInt8]) {
        (self.message, self.name, self.type, self.file) = (message, name, type, file)
    }

    package static func contentType(_ boundary: String) -> String { "multipart/form-data; boundary=\(boundary)" }

    /// The body.
    ///
    /// - Parameter boundary: must not be in the file: nobody who chooses a file may be able to guess it.
    package func encoded(boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(file.count + 4096)
        func begin(_ disposition: String, type: String? = nil) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n".utf8)
            if let type { body += Array("Content-Type: \(type)\r\n".utf8) }
            body += Array("\r\n".utf8)
        }
        for (name, value) in fields {
            begin("name=\"\(name)\"")
            body += value
            body += Array("\r\n".utf8)
        }
        begin("name=\"file\"; filename=\"\(Self.escaped(name))\"", type: FileName.cleanType(type))
        body += file
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return body
    }

    /// The members as texts; what is no text is JSON.
    private var fields: [(name: String, value: [UInt8])] {
        let members = (try? JSONParser.parse(message.encoded))?.members ?? []
        return members.map { member in
            if let text = member.value.string { return (member.name, Array(text.utf8)) }
            var json = JSONWriter()
            json.value(member.value)
            return (member.name, json.bytes)
        }
    }

    /// A quoted name cannot end early: quotes are percent-encoded, as browsers do it. A clean name has no line ends.
    private static func escaped(_ name: String) -> String { FileName.clean(name).replacing("\"", with: "%22") }
}
