import Foundation

/// A file on its way to the platform: the body of `POST .../attachment`.
public struct AttachmentUpload: Sendable, Hashable {
    /// The file's bytes; on the wire in base64, of which Android makes lines.
    public var content: [UInt8]
    /// Android sends the friendly name.
    public var fileName: String
    public var mimeType: String

    public init(content: [UInt8], fileName: String, mimeType: String) {
        self.content = content
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension AttachmentUpload: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.body) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        fileName = try value.required("fileName")
        mimeType = try value.required("mimeType")
        content = try value.inside("content") { content throws(WireError) in
            guard let text = content.string else { throw content.expected("base64") }
            let lines = Data(text.utf8.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
            guard let bytes = Data(base64Encoded: lines) else { throw WireError(.invalid, "expected base64") }
            return Array(bytes)
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("content", Data(content).base64EncodedString())
                writer.member("fileName", fileName)
                writer.member("mimeType", mimeType)
            }
        }
    }
}

/// What became of an upload: the body of a 2xx answer.
public enum AttachmentUploadAnswer: Sendable, Hashable {
    /// `fileUrl`, which goes into the message.
    case stored(url: String)
    /// The file is too large or of a type that isn't allowed: these are the rules.
    case refused(WireFileRestrictions)
}

extension AttachmentUploadAnswer: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        if let url: String = try value.optional("fileUrl") {
            self = .stored(url: url)
        } else if value["allowedFileSize"] != nil {
            self = .refused(try WireFileRestrictions(value))
        } else {
            throw value.missing("fileUrl")
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            switch self {
            case .stored(let url): writer.object { $0.member("fileUrl", url) }
            case .refused(let restrictions): restrictions.write(to: &writer)
            }
        }
    }
}
