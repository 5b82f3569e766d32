import Formats

/// Which files a channel takes (the SDK's `FileRestrictions`).
public struct FileRestrictions: CanonicalJSON, Hashable {
    public var isAttachmentsEnabled: Bool
    /// Bytes.
    public var maximumSize: Int64
    /// Exact media types or `type/*`; `*/*` for any.
    public var allowedTypes: [String]

    public init(isAttachmentsEnabled: Bool, maximumSize: Int64, allowedTypes: [String]) {
        self.isAttachmentsEnabled = isAttachmentsEnabled
        self.maximumSize = maximumSize
        self.allowedTypes = allowedTypes
    }

    /// The embedded service: files of any type up to 40 MiB.
    public static let embedded = FileRestrictions(
        isAttachmentsEnabled: true, maximumSize: 40 << 20, allowedTypes: ["*/*"])

    /// Throws `attachmentError` when the channel takes none, `invalidFileType`, `emptyFile`, and `invalidFileSize` for
    /// one that is too large.
    ///
    /// - Parameters:
    ///   - mimeType: nil if it is not known yet.
    ///   - size: nil if it is not known yet.
    public func check(mimeType: String?, size: Int64?, pointer: String? = nil) throws(ChatError) {
        guard isAttachmentsEnabled else {
            throw ChatError(.attachmentError, "The channel takes no attachments.", pointer: pointer)
        }
        if let mimeType, !allows(mimeType) {
            let types = allowedTypes.joined(separator: ", ")
            throw ChatError(
                .invalidFileType, "The channel does not take files of this type. It takes: \(types).", pointer: pointer)
        }
        guard let size else { return }
        if size == 0 { throw ChatError(.emptyFile, "The file has no bytes.", pointer: pointer) }
        if size > maximumSize {
            throw ChatError(.invalidFileSize, "The file has more than \(maximumSize) bytes.", pointer: pointer)
        }
    }

    /// Whether a media type is one of those allowed, or below an allowed `type/*`; parameters and case do not count.
    public func allows(_ mimeType: String) -> Bool {
        let essence = mimeType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return allowedTypes.contains { allowed in
            let allowed = allowed.lowercased()
            return allowed == "*/*" || allowed == essence
                || (allowed.hasSuffix("/*") && essence.hasPrefix(allowed.dropLast()))
        }
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("isAttachmentsEnabled", isAttachmentsEnabled)
        json.member("maximumSize", maximumSize)
        json.name("allowedTypes")
        json.beginArray()
        for type in allowedTypes { json.value(type) }
        json.endArray()
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        isAttachmentsEnabled = json["isAttachmentsEnabled"]?.bool ?? false
        maximumSize = try json.requiredInteger("maximumSize")
        allowedTypes = (json["allowedTypes"]?.array ?? []).compactMap(\.string)
    }
}
