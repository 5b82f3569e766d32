import ChatModel
import Formats
import Testing

@Suite struct CustomFieldDefinitionTests {
    private static let list = CustomFieldDefinition(
        ident: "topic", label: "Topic", kind: .list,
        options: [.init(id: "billing", label: "Invoices"), .init(id: "tech", label: "Technical")])
    private static let tree = CustomFieldDefinition(
        ident: "device", label: "Device", kind: .tree,
        // A child may stand before its parent.
        options: [
            .init(id: "a", label: "Model A", parentID: "phone"), .init(id: "phone", label: "Phone"),
            .init(id: "tv", label: "TV"),
        ])

    @Test func aTextIsWhatItIs() {
        #expect(CustomFieldDefinition(ident: "a", label: "A", kind: .text).value(of: "anything") == "anything")
    }

    @Test func aListTakesItsOptionsAndTheirLabels() {
        #expect(Self.list.value(of: "billing") == "billing")
        #expect(Self.list.value(of: "Invoices") == "billing")
        #expect(Self.list.value(of: "other") == nil)
    }

    @Test func aTreeTakesLeavesAlone() {
        #expect(Self.tree.value(of: "a") == "a")
        #expect(Self.tree.value(of: "Model A") == "a")
        #expect(Self.tree.value(of: "tv") == "tv")
        #expect(Self.tree.value(of: "phone") == nil)
        #expect(Self.tree.value(of: "Phone") == nil)
    }

    @Test(arguments: ["ada@example.com", "a.b+c@mail.example.org", "x_1%2@a-b.cz"])
    func addresses(text: String) { #expect(EmailAddress.isValid(text)) }

    @Test(arguments: [
        "", "ada", "ada@", "@example.com", "ada@example", "a..b@example.com", ".a@example.com", "a@b@example.com",
        "a b@example.com",
        "ada@example.c", "ada@example.technologies", "ada@.com", "ada@example.c0m", "ä@example.com",
    ])
    func noAddresses(text: String) { #expect(!EmailAddress.isValid(text)) }

    @Test func aChannelKeepsWhatItAsks() throws {
        var channel = Channel(id: "live", name: "Live", mode: .liveChat, capabilities: [.liveChat])
        channel.isOnline = false
        channel.preChatSurvey = PreChatSurvey(name: "About you", fields: [Self.list, Self.tree])
        channel.contactFields = [CustomFieldDefinition(ident: "order", label: "Order", kind: .text)]
        channel.customerFields = [CustomFieldDefinition(ident: "mail", label: "E-mail", kind: .email)]
        channel.welcomeMessage = "Hello {{customer.firstName|you}}"
        channel.inactivity = InactivityLimits(secondsUntilPopup: 60, secondsUntilEnd: 30)
        #expect(try Channel(canonicalJSON: channel.canonicalJSON) == channel)
        // As it was before there was any of it.
        let old = "{\"id\":\"multi\",\"name\":\"Multi\",\"mode\":\"multithread\",\"capabilities\":[]}"
        #expect(try Channel(canonicalJSON: Array(old.utf8)).preChatSurvey == nil)
    }
}
