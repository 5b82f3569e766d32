import ChatModel
import Formats

/// The template of the message that greets a customer (CXone `WelcomeMessage`).
///
/// A placeholder is `{{name}}` or `{{name|fallback}}`. Names are `customer.firstName`, `customer.lastName`,
/// `customer.fullName`, `customer.customFields.<ident>`, `contact.customFields.<ident>`, and the ident of a field
/// alone. A value of spaces only counts as none.
///
/// `{{fallbackMessage|text}}` holds the text that replaces the whole message when a placeholder has neither a value nor
/// a fallback.
public struct WelcomeMessage: Sendable, Hashable {
    public var template: String

    public init(_ template: String) { self.template = template }

    /// The message for one customer. A field that is named by its ident alone is looked up in the contact's fields
    /// first, then in the customer's. Text that is no valid placeholder stays as it is; a placeholder without a value
    /// becomes empty where the template has no fallback message.
    public func text(
        for customer: Customer, customerFields: [String: String], contactFields: [String: String]
    ) -> String {
        var text = "", fallbackMessage: String?, isUnresolved = false
        var rest = Substring(template)
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            text += rest[..<start.lowerBound]
            let placeholder = rest[start.upperBound..<end.lowerBound]
            let parts = placeholder.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            rest = rest[end.upperBound...]
            let name = parts[0].trimmed, fallback = parts.count > 1 ? String(parts[1]) : nil
            if name == "fallbackMessage" {
                fallbackMessage = fallback
            } else if let value = Self.value(name, customer, customerFields, contactFields) {
                text += value
            } else if let fallback {
                text += fallback
            } else {
                isUnresolved = true
            }
        }
        text += rest
        return isUnresolved ? fallbackMessage ?? text : text
    }

    private static func value(
        _ name: String, _ customer: Customer, _ customerFields: [String: String], _ contactFields: [String: String]
    ) -> String? {
        let value: String? =
            switch name {
            case "customer.firstName": customer.firstName
            case "customer.lastName": customer.lastName
            case "customer.fullName": customer.fullName
            default:
                if let ident = name.suffix(after: "customer.customFields.") {
                    customerFields[ident]
                } else if let ident = name.suffix(after: "contact.customFields.") {
                    contactFields[ident]
                } else {
                    contactFields[name] ?? customerFields[name]
                }
            }
        return value.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
