/// Content that is only handed on: its type and its payload.
public struct UnknownContent: Sendable, Hashable {
    public var type: String
    public var payload: RawJSON
    /// The types of `payload.elements`, which the SDKs name to the user.
    public var elementTypes: [String]

    init(_ content: WireValue) throws(WireError) {
        type = try content.required("type")
        payload = content["payload"].map { RawJSON($0) } ?? RawJSON.emptyObject
        elementTypes = (content["payload"]?["elements"]?.elements ?? []).map { $0["type"]?.string ?? "UNKNOWN" }
    }

    /// What the SDKs show: the fallback text if there is one, and what kind of content it is.
    public func displayText(fallbackText: String?) -> String {
        let element = elementTypes.count > 1 ? "GALLERY" : elementTypes.first ?? "UNKNOWN"
        let kind = "\(type) – \(element)"
        return fallbackText.map { "\($0):\n\(kind)" } ?? kind
    }
}
