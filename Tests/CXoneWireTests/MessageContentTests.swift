import Testing

@testable import CXoneWire

@Suite struct MessageContentTests {
    @Test(arguments: ContentExamples.all) func readsAndWritesContent(example: ContentExample) throws {
        let value = try MessageContent(WireValue(json: Array(example.json.utf8), limit: 10_000))
        #expect(value == example.content)
        let written = WireWriter.text(side: .server) { value.write(to: &$0) }
        #expect(try canonical(written) == canonical(Array((example.sent ?? example.json).utf8)))
    }

    /// What isn't as its type says is handed on whole, with its fallback text.
    @Test(arguments: [
        #"{"type":"ADAPTIVE_CARD","fallbackText":"A card","payload":{"body":[{"x":1}]}}"#,
        #"{"type":"FORM","fallbackText":"A card"}"#,
        #"{"type":"STREAMED","fallbackText":"A card","payload":{"protocol":"sse","sourceUrl":"https://x.example"}}"#,
        #"{"type":"QUICK_REPLIES","fallbackText":"A card","payload":{"text":{"content":"?"}}}"#,
        #"{"type":"QUICK_REPLIES","fallbackText":"A card","payload":{"text":{"content":"?"},"actions":[{"text":5}]}}"#,
        #"{"type":"LIST_PICKER","fallbackText":"A card","payload":[]}"#,
        #"{"type":"RICH_LINK","fallbackText":"A card","payload":{"title":{"content":"t"}}}"#,
        #"{"type":"TIME_PICKER","fallbackText":"A card","payload":{"title":{"content":"t"},"event":{"timeSlots":[{"id":1}]}}}"#,
        #"{"type":"PLUGIN","fallbackText":"A card","payload":{"elements":[{"type":"MENU","elements":[]}]}}"#,
        #"{"type":"PLUGIN","fallbackText":"A card","payload":{"elements":[{"type":"INACTIVITY_POPUP","elements":[]}]}}"#,
        #"{"type":"INACTIVITY_POPUP","fallbackText":"A card","payload":"soon"}"#,
    ])
    func keepsWhatItCannotRead(json: String) throws {
        let value = try WireValue(json: Array(json.utf8), limit: 10_000)
        let content = try MessageContent(value)
        guard case .unknown(let unknown) = content.body else {
            Issue.record("read as \(content.body)")
            return
        }
        #expect(content.fallbackText == "A card")
        #expect(unknown.type == value["type"]?.string)
        if let payload = value["payload"] { #expect(unknown.payload == RawJSON(payload)) }
        let written = try canonical(WireWriter.text(side: .server) { content.write(to: &$0) })
        #expect(written.contains(try canonical(unknown.payload.bytes)))
    }

    @Test(arguments: [
        (
            #"""
            {"type":"ADAPTIVE_CARD","fallbackText":"Your order","payload":{"type":"AdaptiveCard","version":"1.5","body":[
             {"type":"TextBlock","text":"Your order","size":"large","color":"accent"},
             {"type":"FactSet","facts":[{"title":"Size","value":"38"},{"title":"Colour","value":"red"}]},
             {"type":"Image","url":"https://shop.example/1.png","altText":"A boot"}],
             "actions":[{"type":"Action.OpenUrl","title":"Track it","url":"https://shop.example/t"}]}}
            """#,
            "Your order\nSize: 38\nColour: red\nA boot\nTrack it: https://shop.example/t"
        ),
        (
            #"""
            {"type":"FORM","fallbackText":"A form","payload":{"title":{"content":"Return"},"fields":[
             {"id":"f1","type":"text","label":"Order number"},{"id":"f2","type":"list","label":"Why?",
             "options":[{"id":"1","text":"Too small"},{"id":"2","text":" "}]}],"submit":{"text":"Send"}}}
            """#,
            "A form\nReturn\nOrder number\nWhy?\nToo small\nSend"
        ),
        (
            #"{"type":"STREAMED","fallbackText":"One moment","payload":{"protocol":"sse","sourceUrl":"https://s.example"}}"#,
            "One moment:\nSTREAMED – UNKNOWN"
        ),
    ])
    func showsWhatCanBeReadInAnyContent(json: String, text: String) throws {
        let content = try MessageContent(WireValue(json: Array(json.utf8), limit: WireLimit.frame))
        guard case .unknown(let unknown) = content.body else {
            Issue.record("known")
            return
        }
        #expect(unknown.displayText(fallbackText: content.fallbackText) == text)
    }

    /// However the bytes are cut.
    @Test(arguments: [1, 2, 3, 7, 1000]) func aStreamedTextIsReadToItsEnd(step: Int) throws {
        let events =
            ": hello\r\n\r\nevent: delta\ndata: {\"delta\":{\"content\":\"One \",\"finish_reason\":null}}\n\n"
            + "event: other\ndata: {\"delta\":{\"content\":\"never\"}}\n\ndata: broken\n\n"
            + "data: {\"delta\":\rdata:{\"content\":\"two é\"}}\r\r"
            + "data: {\"delta\":{\"finish_reason\":\"stop\"}}\n\ndata: {\"delta\":{\"content\":\"late\"}}\n\n"
        var streamed = StreamedText()
        let bytes = Array(events.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            streamed.append(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        #expect(streamed.text == "One two é")
        #expect(streamed.isComplete)
    }

    @Test func aStreamedTextIsBounded() {
        let content = String(repeating: "x", count: 1000)
        let event = Array("data: {\"delta\":{\"content\":\"\(content)\"}}\n\n".utf8)
        var streamed = StreamedText()
        for _ in 0..<100 { streamed.append(event) }
        #expect(streamed.isComplete)
        #expect(streamed.text.utf8.count == 65_000)
    }

    @Test func whatIsReadInContentIsBounded() throws {
        let block = #"{"text":"\#(String(repeating: "x", count: 2000))"},{"text":"y"}"#
        let blocks = [String](repeating: block, count: 300).joined(separator: ",")
        let json = #"{"type":"ADAPTIVE_CARD","payload":{"body":[\#(blocks)]}}"#
        let content = try MessageContent(WireValue(json: Array(json.utf8), limit: WireLimit.frame))
        guard case .unknown(let unknown) = content.body else {
            Issue.record("known")
            return
        }
        #expect(unknown.readableLines.count == 50)
        #expect(unknown.readableLines.allSatisfy { $0.count <= 500 })
    }

    @Test func namesUnknownContentAsTheSDKsDo() throws {
        func text(_ json: String) throws -> String? {
            let content = try MessageContent(WireValue(json: Array(json.utf8), limit: 10_000))
            guard case .unknown(let unknown) = content.body else { return nil }
            return unknown.displayText(fallbackText: content.fallbackText)
        }
        #expect(
            try text(#"{"type":"PLUGIN","fallbackText":"See","payload":{"elements":[{"type":"MENU"}]}}"#)
                == "See:\nPLUGIN – MENU")
        #expect(
            try text(#"{"type":"PLUGIN","payload":{"elements":[{"type":"MENU"},{"type":"FILE"}]}}"#)
                == "PLUGIN – GALLERY")
        #expect(try text(#"{"type":"FORM"}"#) == "FORM – UNKNOWN")
    }

    @Test func needsAType() {
        #expect { try MessageContent(WireValue(json: Array("{}".utf8), limit: 10)) } throws: {
            ($0 as? WireError)?.kind == .missing && ($0 as? WireError)?.pointer == "/type"
        }
    }

    @Test func knowsHiddenMessages() {
        #expect(!MessageParameters().isHidden)
        #expect(MessageParameters(isInitialMessage: true).isHidden)
        #expect(MessageParameters(isUnsupportedMessageTypeAnswer: true).isHidden)
        #expect(MessageParameters(isInactivityPopupAnswer: true).isHidden)
    }
}

struct ContentExample: Sendable, CustomTestStringConvertible {
    var json: String
    var content: MessageContent
    var sent: String?

    var testDescription: String { String(json.prefix(40)) }
}

enum ContentExamples {
    static let all: [ContentExample] = [
        ContentExample(
            json: #"{"type":"TEXT","payload":{"text":"Hej"},"parameters":{},"postback":null}"#, content: .text("Hej")),
        ContentExample(
            json:
                #"{"type":"TEXT","payload":{"text":"Hej","postback":"","elements":[]},"parameters":[],"isRead":false}"#,
            content: .text("Hej"),
            sent: #"{"type":"TEXT","payload":{"text":"Hej"},"parameters":{},"postback":null}"#),
        ContentExample(
            json: #"{"type":"TEXT","payload":{"text":"Begin"},"parameters":{"isInitialMessage":true},"postback":null}"#,
            content: MessageContent(.text("Begin"), parameters: MessageParameters(isInitialMessage: true))),
        ContentExample(
            json: #"""
                {"type":"TEXT","payload":{"text":"No"},"parameters":{"isUnsupportedMessageTypeAnswer":true},"postback":null}
                """#,
            content: MessageContent(.text("No"), parameters: MessageParameters(isUnsupportedMessageTypeAnswer: true))),
        ContentExample(
            json: #"""
                {"type":"QUICK_REPLIES","fallbackText":"Size?","parameters":{},"postback":null,
                 "payload":{"text":{"content":"Which size?"},
                 "actions":[{"type":"REPLY_BUTTON","text":"41","postback":"{\"n\":41}"},
                            {"type":"REPLY_BUTTON","text":"42","description":"in stock","postback":"{\"n\":42}",
                             "icon":\#(icon)}]}}
                """#,
            content: MessageContent(
                .quickReplies(
                    QuickReplies(
                        title: "Which size?",
                        buttons: [
                            ReplyButton(text: "41", postback: #"{"n":41}"#),
                            ReplyButton(text: "42", description: "in stock", postback: #"{"n":42}"#, icon: media),
                        ])), fallbackText: "Size?")),
        ContentExample(
            json: #"""
                {"type":"LIST_PICKER","fallbackText":"Soles","parameters":{},"postback":null,
                 "payload":{"title":{"content":"Soles"},"text":{"content":"Pick one"},
                 "actions":[{"type":"REPLY_BUTTON","text":"rubber","description":"soft","postback":"/r","icon":\#(icon)}]}}
                """#,
            content: MessageContent(
                .listPicker(
                    ListPicker(
                        title: "Soles", text: "Pick one",
                        buttons: [ReplyButton(text: "rubber", description: "soft", postback: "/r", icon: media)])),
                fallbackText: "Soles")),
        ContentExample(
            json: #"""
                {"type":"RICH_LINK","fallbackText":"Care","parameters":{},"postback":null,
                 "payload":{"media":\#(icon),"title":{"content":"Shoe care"},"url":"https://x.example/care"}}
                """#,
            content: MessageContent(
                .richLink(RichLink(title: "Shoe care", url: "https://x.example/care", media: media)),
                fallbackText: "Care")),
        ContentExample(
            json: #"""
                {"type":"TIME_PICKER","fallbackText":"When?","parameters":{},"postback":null,
                 "payload":{"title":{"content":"When?"},"event":{"title":{"content":"Fitting"},
                 "timeSlots":[{"id":"slot-1","duration":900,"startTime":"2026-04-09T06:07:08+00:00"}]}}}
                """#,
            content: MessageContent(
                .timePicker(
                    TimePicker(
                        title: "When?", sheetTitle: "Fitting",
                        slots: [TimePicker.Slot(id: "slot-1", duration: 900, startTime: time())])),
                fallbackText: "When?")),
        ContentExample(json: popup(type: "PLUGIN", elements: elements), content: inactivity),
        // Buttons in the other order are told apart by what they answer; the elements may be the payload's own.
        ContentExample(
            json: popup(type: "PLUGIN", elements: Array(elements[0..<4]) + [elements[5], elements[4]]),
            content: inactivity,
            sent: popup(type: "PLUGIN", elements: elements)),
        ContentExample(
            json: #"""
                {"type":"INACTIVITY_POPUP","fallbackText":"Still there?","parameters":{},"payload":{"elements":[
                 \#(elements.joined(separator: ","))]}}
                """#,
            content: {
                var content = inactivity
                guard case .inactivityPopup(var popup) = content.body else { return content }
                popup.id = ""
                content.body = .inactivityPopup(popup)
                return content
            }(),
            sent: popup(type: "PLUGIN", elements: elements, id: "")),
        ContentExample(
            json: #"{"type":"POSTBACK","payload":{"text":"Stay","postback":"p"},"parameters":{},"postback":"p"}"#,
            content: MessageContent(.postback("Stay"), postback: "p")),
    ]

    private static let icon = #"{"fileName":"i.png","url":"https://x.example/i","mimeType":"image/png"}"#
    private static let media = WireMedia(fileName: "i.png", url: "https://x.example/i", mimeType: "image/png")

    private static let elements = [
        #"{"id":"1","type":"TITLE","text":"Almost over"}"#,
        #"{"id":"2","type":"TEXT","text":"Nothing was written."}"#,
        #"{"id":"3","type":"COUNTDOWN","variables":{"startedAt":"2026-04-09T06:07:08+00:00","numberOfSeconds":45}}"#,
        #"{"id":"4","type":"TEXT","text":"Stay?"}"#,
        #"{"id":"b-1","type":"BUTTON","text":"Stay","postback":"{\"isExpired\" : false,\"job\":\"w\"}"}"#,
        #"{"id":"b-2","type":"BUTTON","text":"Leave","postback":"{\"isExpired\":true,\"job\":\"w\"}"}"#,
    ]

    private static func popup(type: String, elements: [String], id: String = "pl-1") -> String {
        #"""
        {"type":"\#(type)","fallbackText":"Still there?","parameters":{},"postback":null,
         "payload":{"elements":[{"id":"\#(id)","type":"INACTIVITY_POPUP","elements":[\#(elements.joined(separator: ","))]}]}}
        """#
    }

    private static let inactivity = MessageContent(
        .inactivityPopup(
            InactivityPopup(
                id: "pl-1", title: "Almost over", text: "Nothing was written.", callToAction: "Stay?",
                startedAt: time(),
                numberOfSeconds: 45,
                refresh: InactivityPopup.Button(id: "b-1", text: "Stay", postback: #"{"isExpired" : false,"job":"w"}"#),
                expire: InactivityPopup.Button(id: "b-2", text: "Leave", postback: #"{"isExpired":true,"job":"w"}"#))),
        fallbackText: "Still there?")
}
