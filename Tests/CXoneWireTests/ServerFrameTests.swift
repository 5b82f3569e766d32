import Testing

@testable import CXoneWire

@Suite struct ServerFrameTests {
    @Test(arguments: AnswerExamples.all) func readsAndWritesAnswers(example: Example<ServerFrame>) throws {
        try example.expectBothDirections()
    }

    @Test(arguments: AnswerExamples.lenient) func readsOtherSpellingsOfAnswers(example: Example<ServerFrame>) throws {
        try example.expectBothDirections()
    }

    @Test(arguments: PushExamples.all) func readsAndWritesPushes(example: Example<ServerFrame>) throws {
        try example.expectBothDirections()
    }

    @Test(arguments: PushExamples.lenient) func readsOtherSpellingsOfPushes(example: Example<ServerFrame>) throws {
        try example.expectBothDirections()
    }

    /// Names and texts as the platform has them: a typing error here would be one on the wire.
    @Test(arguments: [
        "CustomerAuthorizationFailed", "ConsumerAuthorizationFailed", "CustomerReconnectionFailed",
        "ConsumerReconnectionFailed", "TokenRefreshingFailed", "RecoveringThreadFailed", "RecoveringLivechatFailed",
        "SendingTranscriptFailed", "InconsistentData", "SendingMessageFailed", "SendingOutboundFailed",
        "UpdatingThreadFailed", "ArchivingThreadFailed", "SendingOfflineMessageFailed", "SdkVersionNotSupported",
        "MetadataLoadFailed", "S3EventLoadFailed", "CreateOrUpdateVisitorFailed",
    ])
    func knowsEveryErrorCode(code: String) throws {
        let known: [ErrorCode] = [
            .customerAuthorizationFailed, .consumerAuthorizationFailed, .customerReconnectionFailed,
            .consumerReconnectionFailed, .tokenRefreshingFailed, .recoveringThreadFailed, .recoveringLivechatFailed,
            .sendingTranscriptFailed, .inconsistentData, .sendingMessageFailed, .sendingOutboundFailed,
            .updatingThreadFailed, .archivingThreadFailed, .sendingOfflineMessageFailed, .sdkVersionNotSupported,
            .metadataLoadFailed, .s3EventLoadFailed, .createOrUpdateVisitorFailed,
        ]
        let json = #"{"eventId":"e-1","error":{"errorCode":"\#(code)","transactionId":"t","errorMessage":"m"}}"#
        guard case .error(let error) = try ServerFrame(json: Array(json.utf8)) else {
            Issue.record("no error")
            return
        }
        #expect(known.contains(error.code))
    }
}
