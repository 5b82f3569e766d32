import Chat
import ChatModel
import Testing

@Suite struct WelcomeMessageTests {
    struct Row: Sendable {
        var template: String
        var text: String

        init(_ template: String, _ text: String) { (self.template, self.text) = (template, text) }
    }

    static let rows = [
        Row("Hello!", "Hello!"),
        Row("Dear {{customer.firstName}}, hello", "Dear Ada, hello"),
        Row("{{customer.fullName}}", "Ada"),
        Row("Dear {{customer.lastName|friend}}", "Dear friend"),
        Row("Dear {{ customer.lastName }}", "Dear "),
        Row("Dear {{customer.lastName}}{{fallbackMessage|Hello there}}", "Hello there"),
        Row("{{fallbackMessage|Hello there}}Dear {{customer.firstName}}", "Dear Ada"),
        // A placeholder with a fallback of its own is never unresolved.
        Row("{{customer.lastName|x}}{{fallbackMessage|Hello there}}", "x"),
        Row("{{customer.customFields.age}} {{contact.customFields.topic}}", "36 engines"),
        Row("{{age}} {{topic}}", "36 engines"),
        Row("{{blank|nothing}}", "nothing"),
        Row("{{open", "{{open"),
        Row("}} {{", "}} {{"),
        Row("{{customer.lastName|a|b}}", "a|b"),
    ]

    @Test(arguments: rows) func template(row: Row) {
        let text = WelcomeMessage(row.template).text(
            for: Customer(id: "c1", firstName: "Ada"), customerFields: ["age": "36", "blank": "  "],
            contactFields: ["topic": "engines"])
        #expect(text == row.text)
    }
}
