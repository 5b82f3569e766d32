import ChatModel
import Formats
import Testing

@Suite struct RichContentTests {
    static let time = Timestamp(milliseconds: 1_772_442_904_000)
    static let all: [RichContent] = [
        .quickReplies(
            QuickReplies(
                title: "Which day?",
                buttons: [
                    ReplyButton(text: "Today", postback: "{\"id\":1}"),
                    ReplyButton(
                        text: "Tomorrow", description: "before noon", postback: "2", iconName: "t.png",
                        iconURL: "https://x.example/t.png", iconMimeType: "image/png"),
                ])),
        .listPicker(ListPicker(title: "Colour", text: "Which one?", buttons: [ReplyButton(text: "red")])),
        .richLink(
            RichLink(
                title: "Shop", url: "https://x.example", fileName: "s.jpg", fileURL: "https://x.example/s.jpg",
                mimeType: "image/jpeg")),
        .timePicker(
            TimePicker(
                title: "When?", sheetTitle: "Call back", timeSlots: [.init(id: "s1", duration: 1800, startTime: time)])),
    ]

    @Test(arguments: all) func aMessageKeepsItsContent(content: RichContent) throws {
        var message = Message(
            id: "m1", threadID: "t1", createdAt: Self.time, direction: .toClient, author: Author(id: "a", kind: .agent),
            type: content.type, text: content.fallbackText, status: .delivered)
        message.content = content
        message.postback = "back"
        #expect(try Message(canonicalJSON: message.canonicalJSON) == message)
        // Taken out, as of a removed message: it is a message all the same.
        message.content = nil
        #expect(try Message(canonicalJSON: message.canonicalJSON) == message)
    }
}
