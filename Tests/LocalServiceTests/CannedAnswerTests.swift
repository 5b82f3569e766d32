import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// The answers that agents keep for all of them.
struct CannedAnswerTests {
    private func keep(_ draft: CannedAnswerDraft, _ local: Local) async throws -> CannedAnswer {
        try CannedAnswer(canonicalJSON: try await local.desk.keepAnswer(draft, receipt: nil).body)
    }

    @Test func whatIsLeftOutStaysAndNilRemovesIt() async throws {
        try await Local.run { local in
            let made = try await keep(
                CannedAnswerDraft(
                    name: "hours", text: "9 to 5", shortcut: "Hours", channels: ["multi"], language: "en"), local)
            #expect(made.shortcut == "Hours" && made.channels == ["multi"] && made.language == "en")
            let later = try await keep(CannedAnswerDraft(name: "hours", text: "8 to 5"), local)
            #expect(later.id == made.id && later.text == "8 to 5" && later.shortcut == "Hours")
            #expect(try await local.desk.cannedAnswer(made.id) == later)
            let bare = try await keep(
                CannedAnswerDraft(
                    name: "hours", text: "8 to 5", shortcut: .some(nil), channels: .some(nil), language: .some(nil)),
                local)
            #expect(bare.shortcut == nil && bare.channels == nil && bare.language == nil)
            #expect(try local.store.faults() == [])
        }
    }

    @Test func noTwoHaveTheSameShortcut() async throws {
        try await Local.run { local in
            _ = try await keep(CannedAnswerDraft(name: "a", text: "a", shortcut: "Hi"), local)
            let second = CannedAnswerDraft(name: "b", text: "b", shortcut: "hI")
            #expect(await refusal { try await keep(second, local) } == .answerExists)
            let kept = try await local.desk.cannedAnswers()
            #expect(kept.map(\.name) == ["a"])
            // Its own is free, and so is one that was taken away.
            _ = try await keep(CannedAnswerDraft(name: "a", text: "a", shortcut: "HI"), local)
            _ = try await keep(CannedAnswerDraft(name: "a", text: "a", shortcut: .some(nil)), local)
            #expect(try await keep(second, local).shortcut == "hI")
        }
    }

    @Test func aChannelOfAnAnswerIsThere() async throws {
        try await Local.run { local in
            let draft = CannedAnswerDraft(name: "a", text: "a", channels: ["multi", "nowhere"])
            #expect(await refusal { try await keep(draft, local) } == .unknownChannel)
            let kept = try await local.desk.cannedAnswers()
            #expect(kept.isEmpty)
        }
    }

    /// A desk loads them all, so they have a bound together.
    @Test func allOfThemAreBounded() async throws {
        try await Local.run { local in
            let long = String(repeating: "a", count: 65_000)
            for number in 0..<64 { _ = try await keep(CannedAnswerDraft(name: "\(number)", text: long), local) }
            #expect(
                await refusal { try await keep(CannedAnswerDraft(name: "one more", text: long), local) }
                    == .tooManyAnswers)
            // Nothing grows by it.
            _ = try await keep(CannedAnswerDraft(name: "0", text: "short"), local)
            _ = try await keep(CannedAnswerDraft(name: "one more", text: "short"), local)
        }
        try await Local.run { local in
            for number in 0..<CannedAnswer.maximumCount {
                _ = try await keep(CannedAnswerDraft(name: "\(number)", text: "a"), local)
            }
            #expect(
                await refusal { try await keep(CannedAnswerDraft(name: "one more", text: "a"), local) }
                    == .tooManyAnswers)
            _ = try await keep(CannedAnswerDraft(name: "7", text: "b"), local)
        }
    }

    @Test(arguments: [
        ("a", true), ("Z9_-", true), (String(repeating: "a", count: 32), true), ("", false),
        (String(repeating: "a", count: 33), false), ("a b", false), ("ü", false), ("a/b", false),
    ]) func shortcuts(text: String, isValid: Bool) { #expect(CannedAnswer.isShortcut(text) == isValid) }

    @Test(arguments: [
        ("de", true), ("pt-BR", true), ("zh-Hans-CN", true), ("", false), ("d", false), ("de-", false), ("12", false),
        ("de_DE", false), ("-de", false), ("abcdefghi", false), ("de-abcdefghi", false),
    ]) func languages(text: String, isValid: Bool) { #expect(CannedAnswer.isLanguage(text) == isValid) }

    @Test func whoSeesSomeChannelsSeesTheirAnswers() {
        let answer = CannedAnswer(
            id: "1", name: "a", text: "a", channels: ["a", "b"], updatedAt: Timestamp(milliseconds: 0))
        #expect(answer.isVisible(within: nil) && answer.isVisible(within: ["b", "c"]))
        #expect(!answer.isVisible(within: ["c"]) && !answer.isVisible(within: []))
        var other = answer
        other.channels = nil
        #expect(other.isVisible(within: ["c"]))
    }
}
