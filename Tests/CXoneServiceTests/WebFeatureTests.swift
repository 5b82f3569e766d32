import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Glibc
import HTTPClientPort
import TestSupport
import Testing

/// What the platform offers to web pages beside the mobile SDKs: menu, offline message, preview of typing, pictures.
@Suite struct WebFeatureTests {
    @Test func theMenuIsReadWhenItIsAskedForAndKeptForAMinute() async throws {
        try await withCXone(.multithread) { cxone in
            let long = String(repeating: "x", count: MenuItem.maximumLabelLength + 1)
            cxone.platform.http("persistent-menu-items") { _ in
                let items = [
                    PersistentMenu.Item(id: "1", label: "Orders", postback: "/orders"),
                    .init(id: "2", label: "Help", postback: nil), .init(id: "3", label: long, postback: nil),
                    .init(id: "4", label: "", postback: "/none"),
                ]
                return HTTPAnswer(status: 200, body: PersistentMenu(items: items).encoded())
            }
            let client = try await cxone.session()
            #expect(cxone.platform.calls("persistent-menu-items").isEmpty)
            let menu = [MenuItem(id: "1", label: "Orders", postback: "/orders"), MenuItem(id: "2", label: "Help")]
            for _ in 0..<2 { #expect(try await client.menu() == menu) }
            #expect(cxone.platform.calls("persistent-menu-items").count == 1)
            cxone.environment.advance(milliseconds: 60_000)
            #expect(try await client.menu() == menu)
            #expect(cxone.platform.calls("/channel/chat_1/persistent-menu-items").count == 2)
        }
    }

    @Test func aMenuThatCannotBeReadIsAnError() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            cxone.platform.http("persistent-menu-items") { _ in HTTPAnswer(status: 200, body: Array("{}".utf8)) }
            #expect(await refusal { try await client.menu() } == .serverError)
            cxone.platform.http("persistent-menu-items") { _ in HTTPAnswer(status: 500) }
            #expect(await refusal { try await client.menu() } == .serverError)
        }
    }

    /// An offline session has no socket.
    @Test(arguments: [false, true]) func anOfflineMessageIsLeftOverASocketOfItsOwn(isOnline: Bool) async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = isOnline }
            let client = try await cxone.session()
            #expect(client.state == (isOnline ? .ready : .offline))
            let opened = cxone.platform.urls.count
            try await client.leave(OfflineMessage(name: "Eva", email: "eva@example.com", text: "Call me"))
            guard case .sendOfflineMessage(let message)? = cxone.platform.requests("SendOfflineMessage").last?.event
            else {
                Issue.record("nothing was sent")
                return
            }
            #expect(message.content.body == .text("Call me"))
            #expect(message.author == WireCustomer(id: "eva@example.com", firstName: "Eva"))
            #expect(cxone.platform.urls.count == opened + 1)
            #expect(cxone.platform.state.withLock { $0.sockets.count } == (isOnline ? 1 : 0))
        }
    }

    @Test func anOfflineMessageMayBeRefused() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = false }
            let client = try await cxone.session()
            let message = OfflineMessage(name: "Eva", email: "eva@example.com", text: "Call me")
            cxone.platform.fail("SendOfflineMessage", "SendingOfflineMessageFailed")
            #expect(await refusal { try await client.leave(message) } == .serverError)
            #expect(cxone.platform.state.withLock { $0.sockets.isEmpty })
            var bad = message
            bad.email = "nobody"
            #expect(await refusal { try await client.leave(bad) } == .invalidParameter)
            #expect(cxone.platform.requests("SendOfflineMessage").count == 1)
        }
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            let message = OfflineMessage(name: "Eva", email: "eva@example.com", text: "Call me")
            #expect(await refusal { try await client.leave(message) } == .unsupportedCapability)
        }
    }

    @Test(arguments: [true, false]) func whatIsTypedIsShownAheadWhereTheChannelWantsIt(isPreviewed: Bool) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.configure { $0.settings.isTypingPreviewed = isPreviewed }
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            #expect(client.channel.capabilities.contains(.typingPreview) == isPreviewed)
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            try await client.ask { try await $0.reportTyping(true, text: "Where is m", in: "t1") }
            // The thread may be recovered between them.
            let types = cxone.platform.types.filter { ["SenderTypingStarted", "SendMessagePreview"].contains($0) }
            #expect(types == ["SenderTypingStarted", "SendMessagePreview"])
            guard
                case .sendMessagePreview(let thread, let content)? = cxone.platform.requests("SendMessagePreview").last?
                    .event
            else {
                Issue.record("no preview")
                return
            }
            #expect(thread.id == "t1" && content.body == .text("Where is m"))
        }
    }

    @Test func theCustomersPictureGoesWithEachRequest() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            let picture = "https://shop.example/eva.png"
            let draft = CustomerDraft(firstName: "Eva", lastName: "Nova", imageURL: picture, isVouched: true)
            let customer = try await client.ask { try await $0.setCustomer(draft) }
            #expect(customer.imageURL == picture)
            try await client.ask { try await $0.executeTrigger("x") }
            #expect(cxone.platform.requests("ExecuteTrigger").last?.customer?.image == picture)
            // And after a new connection.
            try await client.disconnect()
            try await client.connect()
            #expect(cxone.platform.requests("FetchThreadList").last?.customer?.image == picture)
            let bad = CustomerDraft(imageURL: "javascript:alert(1)", isVouched: true)
            #expect(await refusal { try await client.ask { try await $0.setCustomer(bad) } } == .invalidParameter)
        }
    }

    @Test(arguments: [("https://shop.example/p.png", "https://shop.example/p.png"), ("javascript:alert(1)", nil)])
    func thePictureThatThePlatformKnowsIsTaken(_ told: String, _ taken: String?) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            cxone.platform.script("AuthorizeCustomer") { request in
                var customer = request.customer ?? WireCustomer(id: "eva")
                customer.image = told
                let authorized = ConsumerAuthorized(
                    customer: customer, accessToken: AccessToken(token: "at", expiresIn: 3600))
                return [.answer(.consumerAuthorized(authorized), eventID: request.eventID)]
            }
            let client = try await cxone.session(authorization: Authorization(code: "c", codeVerifier: nil))
            #expect(try await client.customer().customer.imageURL == taken)
        }
    }

    @Test(arguments: [("https://files.test/view.png?sig=1", "image/png"), ("https://files.test/view", "image/jpeg")])
    func aFilesPreviewIsAFileOfItsOwn(_ url: String, _ type: String) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            var message = cxone.platform.add("look", to: "t1")
            func file(_ preview: String?) -> WireAttachment {
                WireAttachment(
                    url: "https://files.test/whole", friendlyName: "a.pdf", mimeType: "application/pdf",
                    fileName: "a.pdf", previewURL: preview)
            }
            message.attachments = [file(url), file("https://files.test/whole"), file(nil), file("")]
            cxone.platform.push(.messageCreated(cxone.platform.created(message)))
            try await cxone.platform.heard()
            let files = try #require(try await cxone.messages("t1", of: client).last?.attachments)
            let preview = try #require(files[0].previewID)
            #expect(files.dropFirst().allSatisfy { $0.previewID == nil } && !files.map(\.id).contains(preview))
            cxone.platform.http("files.test/whole") { _ in .init(status: 200, body: Array("whole".utf8)) }
            cxone.platform.http("files.test/view") { _ in .init(status: 200, body: Array("view".utf8)) }
            for (id, size, mimeType) in [(preview, Int64(4), type), (files[0].id, 5, "application/pdf")] {
                let file = try await client.attachment(id)
                close(file.descriptor)
                #expect(file.attachment.size == size && file.attachment.mimeType == mimeType)
            }
        }
    }
}
