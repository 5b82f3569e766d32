import Chat
import ChatModel
import ChatStore
@testable import CXoneSandbox
import CXoneWire
import Formats
import Glibc
import MicroHTTP
import TestSupport
import Testing

/// The limits of the REST API hold for the platform's clients too: they stand in the core.
@Suite struct LimitTests {
    private static let long = String(repeating: "x", count: 900_000)

    private static func fields(_ name: String, _ value: String) -> [CustomField] {
        [CustomField(ident: name, value: value, updatedAt: Timestamp(milliseconds: 0))]
    }

    /// What a client could send, and what is to be refused of it.
    private static let attempts: [(String, ClientEvent)] = [
        ("a thread's name", .updateThread(ThreadReference(id: "t1", name: long))),
        (
            "a thread's name, by one character",
            .updateThread(ThreadReference(id: "t1", name: String(repeating: "é", count: 257)))
        ),
        (
            "a field's value",
            .setContactCustomFields(
                SetContactCustomFields(
                    thread: ThreadReference(id: "t1"), fields: fields("a", String(long.prefix(500_000))), contactID: "1"
                ))
        ),
        (
            "a field's name",
            .setContactCustomFields(
                SetContactCustomFields(
                    thread: ThreadReference(id: "t1"), fields: fields(String(long.prefix(100_000)), "a"), contactID: "1"
                ))
        ),
        ("a customer's field's value", .setCustomerCustomFields(fields("a", String(repeating: "x", count: 4097)))),
        ("a customer's field's name", .setCustomerCustomFields(fields(String(repeating: "x", count: 257), "a"))),
    ]

    @Test("What REST refuses is refused here, by the platform's error", arguments: attempts.indices)
    func whatIsTooLongIsRefused(_ index: Int) async throws {
        let (name, event) = Self.attempts[index]
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            let answer = try await ada.ask(event)
            #expect(answer.errorCode != nil, "\(name)")
            let thread = try await ada.ask(.fetchThreadList)
            guard case .answer(.threadListFetched(let threads), _) = thread else {
                Issue.record("no list")
                return
            }
            #expect(threads.first?.name == "")
        }
    }

    @Test(arguments: [(1_000_000, 10_000), (40_000, 10_000), (1024, 256), (3, 1)])
    func clientsLeaveDescriptorsToOthers(descriptors: Int, sessions: Int) {
        #expect(Sandbox.mostSessions(descriptors: descriptors) == sessions)
    }

    @Test func aThreadsFirstMessageBringsNoLongNameOrField() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            for (index, draft) in [
                SendMessage(thread: ThreadReference(id: "t1", name: Self.long), content: .text("hi"), id: "m1"),
                SendMessage(
                    thread: ThreadReference(id: "t1"), content: .text("hi"), id: "m2",
                    contactFields: Self.fields("a", Self.long)),
                SendMessage(
                    thread: ThreadReference(id: "t1"), content: .text("hi"), id: "m3",
                    customerFields: Self.fields("a", Self.long)),
                SendMessage(
                    thread: ThreadReference(id: "t1"), content: .text("hi", postback: Self.long), id: "m4"),
            ].enumerated() {
                #expect(try await ada.ask(.sendMessage(draft)).errorCode != nil, "\(index)")
            }
        }
    }

    @Test func aCustomersNamesHaveALimit() async throws {
        try await Scene.run { scene in
            let ada = try scene.open("ada")
            let authorize = ClientEvent.authorizeCustomer(AuthorizeCustomer(sdkPlatform: "ios", sdkVersion: "3.3.1"))
            for customer in [
                WireCustomer(id: "ada", firstName: Self.long), WireCustomer(id: "ada", lastName: Self.long),
            ] {
                var request = ada.request(authorize)
                request.customer = customer
                ada.session.inbox.put(.text(ClientFrame.request(request).encoded()))
                #expect(try await ada.answer(to: request.eventID).errorCode == .customerAuthorizationFailed)
            }
            _ = try await ada.ask(authorize)
            var request = ada.request(.fetchThreadList)
            request.customer = WireCustomer(id: "ada", firstName: Self.long)
            ada.session.inbox.put(.text(ClientFrame.request(request).encoded()))
            #expect(try await ada.answer(to: request.eventID).errorCode != nil)
        }
    }

    /// Names and types of files as clients send them, and what becomes of them.
    private static let files: [(name: String, type: String, cleanName: String, cleanType: String)] = [
        ("../../etc/passwd", "text/plain", "passwd", "text/plain"),
        ("a\r\nb\u{0}.html", "text/html", "ab.html", "text/html"),
        ("\u{202E}gpj.exe", "image/png\r\nX: y", "gpj.exe", "application/octet-stream"),
        ("", "", "document", "application/octet-stream"),
        (
            String(repeating: "ä", count: 10_000_000) + ".pdf", "application/pdf",
            String(repeating: "ä", count: 125) + ".pdf", "application/pdf"
        ),
        ("a\u{301}\u{301}.txt", "text/plain; charset=utf-8", "a\u{301}\u{301}.txt", "text/plain; charset=utf-8"),
    ]

    // By number: the runner prints a test's arguments, and here they are long.
    @Test("A file's name and type are cleaned, whatever a client sends", arguments: files.indices)
    func aFilesNameIsCleaned(_ index: Int) async throws {
        let (name, type, cleanName, cleanType) = Self.files[index]
        try await Scene.run { scene in
            let face = try scene.face("multi")
            let upload = AttachmentUpload(content: Array("content".utf8), fileName: name, mimeType: type)
            let request = HTTPRequest(
                method: "POST", target: "/chat/1.0/brand/1/channel/\(face.id)/attachment",
                headers: [("Host", "localhost")],
                body: upload.encoded())
            let response = await scene.sandbox.upload(to: face.id, brand: "\(scene.sandbox.brandID)", request)
            guard case .bytes(let body) = response.body, case .stored(let url) = try AttachmentUploadAnswer(json: body)
            else {
                Issue.record("not stored: \(response.status)")
                return
            }
            let id = try #require(FileLink.attachment(url, brand: scene.sandbox.brandID))
            let open = try await scene.sandbox.attachment(id)
            #expect(open.attachment.name.unicodeScalars.elementsEqual(cleanName.unicodeScalars))
            #expect(open.attachment.mimeType == cleanType)
            close(open.descriptor)
        }
    }
}
