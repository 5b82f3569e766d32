import Formats

/// Why something that goes on has failed, as the resource that it belongs to shows it: a message, or a session's connection.
public struct Failure: CanonicalJSON, Hashable {
    /// A code of ``ChatError``, as problems have it.
    public var code: String
    public var detail: String

    public init(_ error: ChatError) {
        code = error.code.rawValue
        detail = error.detail
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("code", code)
        json.member("detail", detail)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        code = try json.requiredString("code")
        detail = try json.requiredString("detail")
    }
}
