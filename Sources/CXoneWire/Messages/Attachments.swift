import Foundation

/// A file that belongs to a message: an element of `attachments`.
public struct WireAttachment: Sendable, Hashable, WireReadable, WireWritable {
    /// Where the file can be fetched. The platform signs it, so whoever has it has the file.
    public var url: String
    /// For display; Android's default is "document".
    public var friendlyName: String
    public var mimeType: String
    /// Android clients leave it out: then the friendly name.
    public var fileName: String
    /// The server's own.
    public var id: String?
    /// `securedPermanentUrl`: the file's address for good. Only servers send it, and only web clients read it.
    public var permanentURL: String?
    /// `previewUrl`: a picture of the file. As ``permanentURL``.
    public var previewURL: String?

    public init(
        url: String, friendlyName: String, mimeType: String, fileName: String, id: String? = nil,
        permanentURL: String? = nil, previewURL: String? = nil
    ) {
        self.url = url
        self.friendlyName = friendlyName
        self.mimeType = mimeType
        self.fileName = fileName
        self.id = id
        self.permanentURL = permanentURL
        self.previewURL = previewURL
    }

    /// Only `url` must be there. A name that is absent is taken from the other one, and both absent become "document".
    public init(_ value: WireValue) throws(WireError) {
        url = try value.required("url")
        let fileName: String? = try value.optional("fileName")
        let friendlyName: String? = try value.optional("friendlyName")
        self.fileName = fileName ?? friendlyName ?? "document"
        self.friendlyName = friendlyName ?? self.fileName
        mimeType = try value.optional("mimeType") ?? "application/octet-stream"
        id = try value.idIfPresent("id")
        permanentURL = value["securedPermanentUrl"]?.string
        previewURL = value["previewUrl"]?.string
    }

    /// All four strings, because the iOS SDK needs them.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: id)
            writer.member("url", url)
            writer.member("friendlyName", friendlyName)
            writer.member("mimeType", mimeType)
            writer.member("fileName", fileName)
            writer.member("securedPermanentUrl", ifPresent: permanentURL)
            writer.member("previewUrl", ifPresent: previewURL)
        }
    }
}

/// A file on its way to the platform: the body of `POST .../attachment`.
///
/// One request has one file. Its URL in the answer then goes into the message's `attachments`.
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
    /// Reads an upload's JSON body. Line breaks in the base64 are allowed. The content is decoded in memory, so
    /// the caller bounds the body by `limit`.
    public init(json: [UInt8], limit: Int = WireLimit.body, omissions: WireOmissions? = nil) throws(WireError) {
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
    /// Reads the body of a 2xx answer. A body with `fileUrl` is a success; one with `allowedFileSize` is a
    /// refusal, which the platform also answers with 2xx.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
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

/// Which files may be attached: `fileRestrictions`, and the answer to an upload that was refused.
public struct WireFileRestrictions: Sendable, Hashable, WireReadable, WireWritable {
    /// A type of files that is allowed: an element of `allowedFileTypes`.
    public struct FileType: Sendable, Hashable, WireReadable, WireWritable {
        /// Of a file, or `image/*` and its like. Real configurations hold malformed ones too.
        public var mimeType: String
        public var description: String

        public init(mimeType: String, description: String) {
            self.mimeType = mimeType
            self.description = description
        }

        public init(_ value: WireValue) throws(WireError) {
            mimeType = try value.required("mimeType")
            description = try value.optional("description") ?? ""
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("mimeType", mimeType)
                writer.member("description", description)
            }
        }
    }

    /// In MiB; on the wire a number as text.
    public var allowedFileSize: Int
    public var allowedFileTypes: [FileType]
    /// Whether files may be attached at all; true if the member is absent.
    public var isAttachmentsEnabled: Bool

    public init(allowedFileSize: Int, allowedFileTypes: [FileType], isAttachmentsEnabled: Bool) {
        self.allowedFileSize = allowedFileSize
        self.allowedFileTypes = allowedFileTypes
        self.isAttachmentsEnabled = isAttachmentsEnabled
    }

    /// Reads `allowedFileSize` as a number or as text, because the platform writes text.
    public init(_ value: WireValue) throws(WireError) {
        allowedFileSize = try value.required("allowedFileSize")
        allowedFileTypes = try value.readableList("allowedFileTypes")
        isAttachmentsEnabled = try value.optional("isAttachmentsEnabled") ?? true
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("allowedFileSize", String(allowedFileSize))
            writer.member("allowedFileTypes", allowedFileTypes)
            writer.member("isAttachmentsEnabled", isAttachmentsEnabled)
        }
    }
}
