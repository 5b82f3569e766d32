import Formats

/// A file that a message carries.
public struct Attachment: CanonicalJSON, Hashable {
    public var id: String
    public var name: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// The id of a picture of the file, which is fetched as a file; nil if there is none.
    public var previewID: String?

    /// - Parameters:
    ///   - name: cleaned by the rule for all names (``FileName``).
    ///   - mimeType: likewise.
    public init(id: String, name: String, mimeType: String, size: Int64, previewID: String? = nil) {
        self.id = id
        self.name = FileName.clean(name)
        self.mimeType = FileName.cleanType(mimeType)
        self.size = size
        self.previewID = previewID
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("mimeType", mimeType)
        json.member("size", size)
        json.member("previewId", previewID)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        mimeType = try json.requiredString("mimeType")
        size = try json.requiredInteger("size")
        previewID = json["previewId"]?.string
    }
}
