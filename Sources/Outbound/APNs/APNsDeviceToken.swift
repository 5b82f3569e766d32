/// The address of an app on a device, as APNs gave it to the app. It is a secret.
package struct APNsDeviceToken: Sendable, Hashable {
    /// Apple promises no length; today's tokens have 64 digits.
    package static let maximumLength = 200

    /// Hexadecimal digits in small letters.
    package let digits: String

    /// Nil unless it is an even number of hexadecimal digits, 2 to ``maximumLength``, in small or capital letters.
    package init?(_ text: String) {
        guard (2...Self.maximumLength).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimalDigit)
        else { return nil }
        digits = text.lowercased()
    }
}

extension APNsDeviceToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "APNsDeviceToken" }
    package var debugDescription: String { description }
}
