import Formats

/// That a customer has agreed to how their data is used.
public struct Consent: CanonicalJSON, Hashable {
    /// Which text it was, in the channel's words, such as `2026-05`.
    public var version: String
    public var at: Timestamp

    public init(version: String, at: Timestamp) {
        self.version = version
        self.at = at
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("version", version)
        json.member("at", at)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        version = try json.requiredString("version")
        at = try json.requiredTimestamp("at")
    }
}
