import Chat
import ChatModel
import CXoneWire
import Formats
import TestSupport
import Testing

/// Every code with which the platform refuses, and those that nobody knows.
@Suite struct ErrorCodeTests {
    static let meanings: [(String, ChatError.Code)] = [
        ("CustomerAuthorizationFailed", .customerAssociationFailure),
        ("ConsumerAuthorizationFailed", .customerAssociationFailure),
        ("CustomerReconnectionFailed", .customerAssociationFailure),
        ("ConsumerReconnectionFailed", .customerAssociationFailure),
        ("TokenRefreshingFailed", .tokenRefreshFailed), ("RecoveringThreadFailed", .recoveringThreadFailed),
        ("RecoveringLivechatFailed", .recoveringThreadFailed), ("SendingTranscriptFailed", .sendTranscriptFailed),
        ("InconsistentData", .invalidData), ("SendingMessageFailed", .serverError),
        ("SendingOutboundFailed", .serverError),
        ("UpdatingThreadFailed", .serverError), ("ArchivingThreadFailed", .serverError),
        ("SendingOfflineMessageFailed", .serverError),
        ("SdkVersionNotSupported", .sdkVersionNotSupported), ("MetadataLoadFailed", .serverError),
        ("S3EventLoadFailed", .serverError),
        ("CreateOrUpdateVisitorFailed", .serverError), ("SomethingNobodyKnows", .serverError), ("", .serverError),
    ]

    @Test("4.8: an error is a failure, also one that nobody knows", arguments: meanings)
    func anErrorIsAFailure(_ name: String, _ code: ChatError.Code) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            cxone.platform.fail("ArchiveThread", name)
            #expect(await refusal { try await client.ask { try await $0.archive("t1", receipt: nil) } } == code)
            #expect(try cxone.thread("t1", of: client)?.state == .loaded)
            #expect(client.state == .ready)
        }
    }

    @Test(
        "4.8: some are told to the session as well",
        arguments: [
            "CustomerAuthorizationFailed", "ConsumerAuthorizationFailed", "InconsistentData", "TokenRefreshingFailed",
        ])
    func someAreToldToTheSessionAsWell(_ name: String) async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.send([
                .error(OperationError(eventID: nil, code: ErrorCode(rawValue: name), transactionID: "t", message: "m"))
            ])
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)).contains("error"))
        }
    }

    @Test(
        "4.8 authorization failures: told to the session, and the connection fails",
        arguments: [
            "CustomerAuthorizationFailed", "ConsumerAuthorizationFailed",
        ])
    func anAuthorizationThatFailsFailsTheConnection(_ name: String) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.fail("AuthorizeCustomer", name)
            let client = try await cxone.session(connect: false), recorder = EventRecorder(cxone.store.feed)
            #expect(await refusal { try await client.connect() } == .customerAssociationFailure)
            #expect(client.state == .prepared)
            #expect(await eventually { recorder.types(for: .account(client.account)).contains("error") })
        }
    }

    @Test("4.8 InconsistentData: told to the session, and to who waits")
    func inconsistentDataIsToldToWhoWaitsAsWell() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session(), recorder = EventRecorder(cxone.store.feed)
            cxone.platform.fail("ArchiveThread", "InconsistentData")
            #expect(await refusal { try await client.ask { try await $0.archive("t1", receipt: nil) } } == .invalidData)
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)).contains("error"))
        }
    }

    @Test("4.8: an error within an answer's own eventId, whatever else stands there, is an error")
    func anErrorBesideAnAnswerIsAnError() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            cxone.platform.script("ArchiveThread") { [platform = cxone.platform] request in
                platform.sendRaw(
                    """
                    {"eventId":"\(request.eventID)","postback":{"eventType":"ThreadArchived"},"error":{"errorCode":"Odd","more":[1]}}
                    """)
                return []
            }
            #expect(await refusal { try await client.ask { try await $0.archive("t1", receipt: nil) } } == .serverError)
            #expect(try cxone.thread("t1", of: client)?.state == .loaded)
        }
    }

    @Test("4.8: a gateway that fails is told to the session") func aGatewayThatFailsIsToldToTheSession() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.send([
                .gatewayError(GatewayError(message: "Internal server error", connectionID: "c", requestID: "r"))
            ])
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)).contains("error"))
            #expect(client.state == .ready)
        }
    }

    @Test("4.8: a message that is refused is not taken for sent") func aMessageThatIsRefusedIsNotTakenForSent()
        async throws
    {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            cxone.platform.fail("SendMessage", "SendingMessageFailed")
            let outcome = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(try Message(canonicalJSON: outcome.body).status == .failed)
            #expect(try await cxone.messages("t1", of: client).map(\.id) == ["s-t1-0"])
        }
    }
}
