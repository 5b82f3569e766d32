import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// Messages with buttons, lists, links and times, and their answers.
@Suite struct RichMessageTests {
    private static let question = RichContent.quickReplies(
        QuickReplies(
            title: "Which day?",
            buttons: [ReplyButton(text: "Today", postback: "day-1"), ReplyButton(text: "Tomorrow", postback: "day-2")]))

    @Test func theDeskAsksAndTheCustomerAnswers() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            let draft = MessageDraft(id: "q1", content: Self.question)
            _ = try await local.desk.send(draft, as: Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            let asked = try #require(try ada.message("q1", in: "t1"))
            #expect(asked["type"] == .string("quickReplies"))
            #expect(asked["text"] == .string("Which day?"))
            #expect(asked[path: "content", "buttons"]?.array?.count == 2)
            #expect(try ada.thread("t1")[path: "lastMessage", "text"] == .string("Which day?"))
            // The same once more is the same message, another content is none.
            #expect(
                try await local.desk.send(draft, as: Local.agent, to: DeskThread(id: "t1"), receipt: nil).kind == .ok)
            let other = MessageDraft(id: "q1", text: "Which day?")
            #expect(
                await refusal {
                    try await local.desk.send(other, as: Local.agent, to: DeskThread(id: "t1"), receipt: nil)
                }
                    == .messageIdConflict)
            let answer = MessageDraft(id: "m2", text: "Today", postback: "day-1")
            #expect(try await ada.connection.send(answer, to: "t1", receipt: nil).kind == .created)
            #expect(try ada.message("m2", in: "t1")?["postback"] == .string("day-1"))
            #expect(
                await refusal {
                    try await ada.connection.send(MessageDraft(id: "m2", text: "Today"), to: "t1", receipt: nil)
                }
                    == .messageIdConflict)
        }
    }

    @Test func anAnswerMayBeAPostbackAlone() throws {
        try MessageDraft(postback: "day-1").check()
        #expect(throws: ChatError.self) { try MessageDraft().check() }
    }

    @Test func aRichMessageIsNothingElseBesides() {
        for draft in [
            MessageDraft(isAdmin: true, content: Self.question), MessageDraft(parentID: "m1", content: Self.question),
            MessageDraft(attachments: ["f1"], content: Self.question),
        ] {
            #expect(throws: ChatError.self) { try draft.check() }
        }
    }

    @Test func whatItOfferedGoesWithIt() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            let draft = MessageDraft(id: "q1", text: "secret", content: Self.question)
            _ = try await local.desk.send(draft, as: Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await local.desk.remove("q1", in: DeskThread(id: "t1"), ifMatch: nil)
            let log = try await local.store.replay([.account(ada.account)], after: 0, limit: 1 << 20).events
            #expect(log.allSatisfy { !String(decoding: $0.data, as: UTF8.self).contains("Tomorrow") })
        }
    }
}
