import Formats

/// How long a live chat's customer may be silent.
public struct InactivityLimits: CanonicalJSON, Hashable {
    /// Of silence, until the customer is asked.
    public var secondsUntilPopup: Int
    /// After that, until the chat is ended.
    public var secondsUntilEnd: Int

    public init(secondsUntilPopup: Int, secondsUntilEnd: Int) {
        self.secondsUntilPopup = secondsUntilPopup
        self.secondsUntilEnd = secondsUntilEnd
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("secondsUntilPopup", secondsUntilPopup)
        json.member("secondsUntilEnd", secondsUntilEnd)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        secondsUntilPopup = Int(try json.requiredInteger("secondsUntilPopup"))
        secondsUntilEnd = Int(try json.requiredInteger("secondsUntilEnd"))
    }
}
