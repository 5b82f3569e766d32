/// Which files may be attached: `fileRestrictions`, and the answer to an upload that was refused.
public struct WireFileRestrictions: Sendable, Hashable, WireReadable, WireWritable {
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
    public var isAttachmentsEnabled: Bool

    public init(allowedFileSize: Int, allowedFileTypes: [FileType], isAttachmentsEnabled: Bool) {
        self.allowedFileSize = allowedFileSize
        self.allowedFileTypes = allowedFileTypes
        self.isAttachmentsEnabled = isAttachmentsEnabled
    }

    public init(_ value: WireValue) throws(WireError) {
        allowedFileSize = try value.required("allowedFileSize")
        allowedFileTypes = try value.list("allowedFileTypes")
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
