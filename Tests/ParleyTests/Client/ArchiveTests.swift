import Formats
import Foundation
import Testing

@testable import parley

/// Files of conversations, which are read in pieces of any length.
@Suite struct ArchiveTests {
    private func elements(_ text: String, pieces: Int, limit: Int = 1000) throws -> [String] {
        var scanner = ElementScanner(limit: limit)
        var (found, rest) = ([String](), Array(text.utf8)[...])
        while !rest.isEmpty {
            found += try scanner.scan(rest.prefix(pieces)).map {
                "\($0.list) \(String(decoding: $0.bytes, as: UTF8.self))"
            }
            rest = rest.dropFirst(pieces)
        }
        #expect(scanner.isEnd)
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func elementsAreFoundInPieces(_ pieces: Int) throws {
        let text = #"""
             {"thread":{"items":[1],"name":"\"items\":[9]"},"removedCount":0,"items":[{"a":"]}\"\\","b":[1,{"c":2}]} , 7,"x,y"],
              "users":[], "more": [[1,2],[]], "next":"items"}
            """#
        #expect(
            try elements(text, pieces: pieces) == [
                #"items {"a":"]}\"\\","b":[1,{"c":2}]} "#, "items 7", #"items "x,y""#, "more [1,2]", "more []",
            ])
    }

    @Test(arguments: ["[1]", "7", "{} x", #"{"a":["0123456789"]}"#]) func otherTextsAreRefused(_ text: String) {
        #expect(throws: BrokenAnswer.self) { try elements(text, pieces: 1, limit: 8) }
    }

    @Test func anObjectThatIsCutHasNoEnd() throws {
        var scanner = ElementScanner(limit: 100)
        #expect(try scanner.scan(Array(#"{"items":[{"a":1},{"b":"#.utf8)).count == 1)
        #expect(!scanner.isEnd)
    }

    @Test func linesHaveTheirNumbers() throws {
        let path = FileManager.default.temporaryDirectory.path + "/lines-\(UUID().uuidString)"
        let text = "\u{FEFF}one\r\n\n  \n" + String(repeating: "x", count: 300_000) + "\nfive\nlast"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var lines = InputLines(try InputPieces(path), limit: 1000)
        var found: [String] = []
        while let line = try lines.next() {
            found.append("\(line.number) \(line.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "too long")")
        }
        #expect(found == ["1 one", "4 too long", "5 five", "6 last"])
        lines.pieces.close()
    }

    private func ticket(_ members: String, hasNames: Bool = true) throws -> JSONValue {
        let json = try JSONText(Array("{\(members)}".utf8)).root
        return try JSONParser.parse(
            ZendeskTicket(users: ZendeskUsers(), hasNames: hasNames).conversation(json))
    }

    private static let plain = """
        "id":7,"subject":"Printer","status":"solved","created_at":"2024-03-04T09:12:00Z","updated_at":"2024-03-05T10:00:00Z",
        "requester_id":1,"description":"Fire","assignee_id":2
        """

    @Test func aTicketWithoutCommentsHasItsDescription() throws {
        let made = try ticket(Self.plain)
        #expect(made["id"] == .string("zendesk-7") && made["name"] == .string("Printer"))
        #expect(made["messages"]?.array?.count == 1)
        #expect(made["messages"]?.array?.first?["author"]?["kind"] == .string("customer"))
        #expect(made["contacts"]?.array?.first?["closedAt"] == .string("2024-03-05T10:00:00.000Z"))
        #expect(made["contacts"]?.array?.first?["closedBy"] == .string("zendesk-user-2"))
    }

    @Test func whereConversationsHaveNoNamesTheSubjectIsAField() throws {
        let made = try ticket(Self.plain, hasNames: false)
        #expect(made["name"] == nil && made["customFields"]?["subject"] == .string("Printer"))
    }

    @Test func aTextThatIsTooLongBecomesSeveralMessages() throws {
        let long = String(repeating: "ä", count: 40_000)
        let comment = #"{"id":5,"author_id":2,"created_at":"2024-03-04T10:00:00Z","body":"\#(long)"}"#
        let made = try ticket(Self.plain + ",\"comments\":[\(comment)]")
        let messages = made["messages"]?.array ?? []
        #expect(messages.compactMap { $0["id"]?.string } == ["zendesk-5", "zendesk-5-2"])
        #expect(messages.compactMap { $0["text"]?.string }.joined() == long)
        #expect(messages.allSatisfy { $0["author"]?["kind"] == .string("agent") })
    }

    @Test func whatIsMissingIsNamed() {
        #expect(throws: ZendeskTicket.Fault(member: "id", detail: "a number was expected")) { try ticket("\"a\":1") }
        #expect(throws: ZendeskTicket.Fault(member: "comments/0/author_id", detail: "a number was expected")) {
            try ticket(Self.plain + ",\"comments\":[{\"id\":1}]")
        }
    }
}
