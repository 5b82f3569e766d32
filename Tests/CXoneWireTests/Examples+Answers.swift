@testable import CXoneWire

/// Every answer of the platform, and the frames that stand for failures.
enum AnswerExamples {
    static let all: [Example<ServerFrame>] = [
        Example("pong", #""pong""#, .pong),
        answer(
            "ConsumerAuthorized",
            data: #"""
                {"consumerIdentity":{"idOnExternalPlatform":"ida","firstName":"Ida","lastName":"Holm"},
                 "accessToken":{"token":"t-1","expiresIn":1800},"customer":{"customFields":[]},"contact":{"customFields":[]}}
                """#,
            .consumerAuthorized(
                ConsumerAuthorized(
                    customer: WireCustomer(id: "ida", firstName: "Ida", lastName: "Holm"),
                    accessToken: AccessToken(token: "t-1", expiresIn: 1800))),
            head: #""status":"success","authorizationStatus":"authorized","#),
        answer(
            "ConsumerReconnected", data: nil, .consumerReconnected, head: #""authorizationStatus":"authorized","#),
        answer(
            "TokenRefreshed", data: #"{"accessToken":{"token":"t-2","expiresIn":1800}}"#,
            .tokenRefreshed(AccessToken(token: "t-2", expiresIn: 1800))),
        answer(
            "ThreadListFetched",
            data: #"""
                {"threads":[{"id":"s-th-1","idOnExternalPlatform":"th-1","channelId":"chat_c","threadName":"Boots",
                 "canAddMoreMessages":false,"createdAt":"2026-04-09T06:07:08+00:00","updatedAt":"2026-04-09T06:08:08+00:00",
                 "unseenByUserMessagesCount":2,"unseenByEndUserMessagesCount":0}]}
                """#,
            .threadListFetched([
                WireThread(
                    id: "th-1", serverID: "s-th-1", channelID: "chat_c", name: "Boots", canAddMoreMessages: false,
                    createdAt: time(), updatedAt: time(60), unseenByCustomer: 0, unseenByAgent: 2)
            ])),
        answer("ThreadListFetched", data: #"{"threads":[]}"#, .threadListFetched([])),
        answer(
            "ThreadMetadataLoaded", data: #"{"ownerAssignee":null,"lastMessage":\#(WireExamples.inbound.json)}"#,
            .threadMetadataLoaded(ThreadMetadata(ownerAssignee: nil, lastMessage: WireExamples.inbound.value))),
        answer("ThreadRecovered", data: recovered.json, .threadRecovered(recovered.value)),
        answer("LivechatRecovered", data: recovered.json, .livechatRecovered(recovered.value)),
        answer("LivechatRecovered", data: #"{"messagesScrollToken":""}"#, .livechatRecovered(nil)),
        answer(
            "MoreMessagesLoaded",
            data: #"{"messages":[\#(WireExamples.inbound.json)],"scrollToken":"bW9yZQ==","contactHistory":[]}"#,
            .moreMessagesLoaded(MessagePage(messages: [WireExamples.inbound.value], scrollToken: "bW9yZQ=="))),
        answer("ThreadArchived", data: nil, .threadArchived),
        answer("ThreadUpdated", data: nil, .threadUpdated),
        answer("TranscriptSent", data: nil, .transcriptSent),
        answer("OfflineMessageSent", data: nil, .offlineMessageSent),
        answer(
            "AuthorizationTokenGenerated", data: #"{"authorizationToken":{"token":"b-1"}}"#,
            .authorizationTokenGenerated(token: "b-1")),
        answer(
            "InvitationToGroupChatCreated", data: #"{"invitation":{"code":"QX9"}}"#,
            .invitationToGroupChatCreated(code: "QX9")),
        answer("EmailInvitationToGroupChatSent", data: "{}", .emailInvitationToGroupChatSent),
        answer("GroupChatJoined", data: "{}", .groupChatJoined),
        answer("SomethingNew", data: nil, .unknown(type: "SomethingNew")),
        Example(
            "acknowledgement", #"{"eventId":"e-1","status":"success"}"#,
            .acknowledgement(Acknowledgement(eventID: "e-1"))),
        Example(
            "acknowledgement with a time", #"{"eventId":"e-1","createdAt":"2026-04-09T06:07:08+00:00"}"#,
            .acknowledgement(Acknowledgement(eventID: "e-1", status: nil, createdAt: time()))),
        Example(
            "operation error",
            #"""
            {"eventId":"e-1","error":{"errorCode":"RecoveringThreadFailed","transactionId":"tx-1",
             "errorMessage":"No such thread"},
             "inputData":{"thread":{"idOnExternalPlatform":"th-1"}}}
            """#,
            .error(
                OperationError(
                    eventID: "e-1", code: .recoveringThreadFailed, transactionID: "tx-1", message: "No such thread",
                    threadID: "th-1"))),
        Example(
            "gateway error", #"{"message":"Endpoint request timed out","connectionId":"c-1","requestId":"r-1"}"#,
            .gatewayError(GatewayError(message: "Endpoint request timed out", connectionID: "c-1", requestID: "r-1"))),
        Example("an empty object", "{}", .unknown),
    ]

    /// Other spellings of the same.
    static let lenient: [Example<ServerFrame>] = [
        answer(
            "ConsumerAuthorized", data: #"{"status":"success","consumerIdentity":{"idOnExternalPlatform":5}}"#,
            .consumerAuthorized(ConsumerAuthorized(customer: WireCustomer(id: "5"))),
            sent: #"""
                {"eventId":"e-1","status":"success","authorizationStatus":"authorized","postback":{
                 "eventType":"ConsumerAuthorized","data":{"consumerIdentity":{"idOnExternalPlatform":"5"},
                 "customer":{"customFields":[]},"contact":{"customFields":[]}}}}
                """#),
        Example(
            "a type at the top", #"{"eventId":"e-1","eventType":"ConsumerReconnected"}"#,
            .answer(.consumerReconnected, eventID: "e-1"), sent: reconnected),
        Example(
            "the older name", #"{"eventId":"e-1","eventType":"CustomerReconnected"}"#,
            .answer(.consumerReconnected, eventID: "e-1"), sent: reconnected),
        Example(
            "the body of a large event",
            #"""
            {"eventId":"e-1","eventObject":"ChatWindow","eventType":"MoreMessagesLoaded","createdAt":"2026-04-09T06:07:08.1Z",
             "data":{"messages":[],"scrollToken":7}}
            """#,
            .answer(.moreMessagesLoaded(MessagePage(messages: [], scrollToken: "7")), eventID: "e-1"),
            sent: #"""
                {"eventId":"e-1","postback":{"eventType":"MoreMessagesLoaded",
                 "data":{"messages":[],"scrollToken":"7","contactHistory":[]}}}
                """#),
        Example(
            "nothing to recover for iOS", #"{"eventId":"e-1","postback":{"eventType":"LivechatRecovered"}}"#,
            .answer(.livechatRecovered(nil), eventID: "e-1"), sent: nothingRecovered),
        Example(
            "nothing to recover, as PHP says it",
            #"{"eventId":"e-1","postback":{"eventType":"LivechatRecovered","data":[]}}"#,
            .answer(.livechatRecovered(nil), eventID: "e-1"), sent: nothingRecovered),
        answer(
            "ThreadRecovered",
            data: #"""
                {"consumerContact":{"id":880055},"consumer":{"customFields":[{"ident":"club","value":"gold",
                 "updatedAt":"2026-04-09T07:07:08+0100"}]},"thread":{"idOnExternalPlatform":"th-1","messages":[]},
                  "inboxAssignee":null}
                """#,
            .threadRecovered(
                RecoveredThread(
                    thread: WireThread(id: "th-1", channelID: nil),
                    contact: WireContact(id: "880055", threadID: nil, status: nil, createdAt: nil),
                    customerFields: [CustomField(ident: "club", value: "gold", updatedAt: time())], messages: [])),
            sent: #"""
                {"eventId":"e-1","postback":{"eventType":"ThreadRecovered","data":{"contact":{"id":"880055","customFields":[]},
                 "customer":{"customFields":[{"ident":"club","value":"gold","updatedAt":"2026-04-09T06:07:08+00:00"}]},
                 "messages":[],"messagesScrollToken":"","inboxAssignee":null,"previousInboxAssignee":null,"ownerAssignee":null,
                 "thread":{"id":"th-1","idOnExternalPlatform":"th-1","channelId":"","threadName":"","canAddMoreMessages":true},
                 "contactHistory":[]}}}
                """#, isLossy: true),
        Example(
            "an error without code", #"{"eventId":"e-1","error":"no"}"#,
            .error(OperationError(eventID: "e-1", code: ErrorCode(rawValue: ""), transactionID: "", message: "no")),
            sent: #"{"eventId":"e-1","error":{"errorCode":"","transactionId":"","errorMessage":"no"}}"#),
        Example(
            "an error beside an answer",
            #"""
            {"eventId":"e-1","error":{"errorCode":"Brandnew"},"postback":{"eventType":"ThreadArchived"},"status":"success"}
            """#,
            .error(
                OperationError(eventID: "e-1", code: ErrorCode(rawValue: "Brandnew"), transactionID: "", message: "")),
            sent: #"{"eventId":"e-1","error":{"errorCode":"Brandnew","transactionId":"","errorMessage":""}}"#),
        Example(
            "a null error is none", #"{"eventId":"e-1","error":null}"#,
            .acknowledgement(Acknowledgement(eventID: "e-1", status: nil)), sent: #"{"eventId":"e-1"}"#),
        Example("no object", "[1]", .unknown, sent: "{}"),
        Example("another word", #""ping""#, .unknown, sent: "{}"),
        Example("a message alone", #"{"message":"hello"}"#, .unknown, sent: "{}"),
    ]

    private static let reconnected =
        #"{"eventId":"e-1","authorizationStatus":"authorized","postback":{"eventType":"ConsumerReconnected"}}"#
    private static let nothingRecovered =
        #"{"eventId":"e-1","postback":{"eventType":"LivechatRecovered","data":{"messagesScrollToken":""}}}"#

    private static let recovered: (json: String, value: RecoveredThread) = (
        #"""
        {"contact":\#(WireExamples.contact.json),
         "customer":{"customFields":[{"ident":"club","value":"gold","updatedAt":"2026-04-09T06:07:08+00:00"}]},
         "messages":[\#(WireExamples.outbound.json),\#(WireExamples.inbound.json)],"messagesScrollToken":"c2Nyb2xs",
         "inboxAssignee":\#(WireExamples.agent.json),"previousInboxAssignee":null,"ownerAssignee":null,
         "thread":{"id":"s-th-1","idOnExternalPlatform":"th-1","channelId":"chat_c","threadName":"Boots",
          "canAddMoreMessages":true},
         "contactHistory":[]}
        """#,
        RecoveredThread(
            thread: WireThread(id: "th-1", serverID: "s-th-1", channelID: "chat_c", name: "Boots"),
            contact: WireExamples.contact.value,
            customerFields: [CustomField(ident: "club", value: "gold", updatedAt: time())],
            messages: [WireExamples.outbound.value, WireExamples.inbound.value], scrollToken: "c2Nyb2xs",
            inboxAssignee: WireExamples.agent.value)
    )

    private static func answer(
        _ type: String, data: String?, _ answer: ServerAnswer, head: String = "", sent: String? = nil,
        isLossy: Bool = false
    ) -> Example<ServerFrame> {
        let json = """
            {"eventId":"e-1",\(head)"postback":{"eventType":"\(type)"\(data.map { ",\"data\":\($0)" } ?? "")}}
            """
        var example = Example(type, json, ServerFrame.answer(answer, eventID: "e-1"), sent: sent)
        example.isLossy = isLossy
        return example
    }
}
