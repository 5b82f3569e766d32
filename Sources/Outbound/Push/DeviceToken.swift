/// The address of an app on a device, as its push service gave it to the app. It is a secret.
package struct DeviceToken: Sendable, Hashable {
    package let kind: AppKind
    /// In the one spelling of its kind.
    package let text: String

    /// Nil for a text that is no token of this kind.
    package init?(_ text: String, of kind: AppKind) {
        guard let text = kind.token(text) else { return nil }
        self.kind = kind
        self.text = text
    }
}

extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "DeviceToken" }
    package var debugDescription: String { description }
}
