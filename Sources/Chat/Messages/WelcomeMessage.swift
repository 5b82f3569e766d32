import ChatModel

/// What a customer is greeted with: a template with placeholders (CXone `WelcomeMessage`).
///
/// `{{name}}` or `{{name|fallback}}`; and `{{fallbackMessage|text}}`, which replaces the whole when a placeholder without a
/// fallback of its own finds no value. Names are `customer.firstName`, `customer.lastName`, `customer.fullName`,
/// `customer.customFields.<ident>`, `contact.customFields.<ident>`, and the ident of a field alone. Blank values are none.
public struct WelcomeMessage: Sendable, Hashable {
    public var template: String

    public init(_ template: String) { self.template = template }

    public func text(for customer: Customer, customerFields: [String: String], contactFields: [String: String]) -> String {
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
        let value: String? = switch name {
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
