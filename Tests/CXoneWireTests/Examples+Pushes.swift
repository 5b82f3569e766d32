@testable import CXoneWire

/// Every push of the platform.
enum PushExamples {
    static let all: [Example<ServerFrame>] = [
        push(
            "MessageCreated", "Message",
            data: #"""
                {\#(origin.json),"case":\#(WireExamples.contact.json),
                 "thread":{"id":"s-th-1","idOnExternalPlatform":"th-1","threadName":"Boots"},
                  "message":\#(WireExamples.inbound.json)}
                """#,
            .messageCreated(
                MessageCreated(
                    origin: origin.value, contact: WireExamples.contact.value,
                    thread: ThreadReference(id: "th-1", name: "Boots", serverID: "s-th-1"),
                    message: WireExamples.inbound.value))),
        push(
            "MessageSent", "Message",
            data:
                #"{\#(origin.json),"thread":{"idOnExternalPlatform":"th-1"},"message":\#(WireExamples.outbound.json)}"#,
            .messageSent(
                MessageCreated(
                    origin: origin.value, contact: nil, thread: ThreadReference(id: "th-1"),
                    message: WireExamples.outbound.value))),
        push(
            "MessageUpdated", "Message", data: #"{\#(origin.json),"message":\#(WireExamples.outbound.json)}"#,
            .messageUpdated(MessageChanged(origin: origin.value, message: WireExamples.outbound.value))),
        push(
            "MessageReadChanged", "Message", data: #"{"brand":{"id":77},"message":\#(WireExamples.inbound.json)}"#,
            .messageReadChanged(
                MessageChanged(origin: PushOrigin(brandID: 77, channelID: nil), message: WireExamples.inbound.value))),
        push(
            "MessageSeenChanged", "Message", data: #"{\#(origin.json),"message":\#(WireExamples.outbound.json)}"#,
            .messageSeenChanged(MessageChanged(origin: origin.value, message: WireExamples.outbound.value))),
        push(
            "MessageUpdated", "Message", data: #"{\#(origin.json),"message":\#(WireExamples.outbound.json)}"#,
            .messageUpdated(MessageChanged(origin: origin.value, message: WireExamples.outbound.value))),
        push(
            "MessageSent", "Message",
            data: #"""
                {\#(origin.json),"thread":{"idOnExternalPlatform":"th-1"},"message":\#(WireExamples.outbound.json)}
                """#,
            .messageSent(
                MessageCreated(
                    origin: origin.value, contact: nil, thread: ThreadReference(id: "th-1"),
                    message: WireExamples.outbound.value))),
        push("SenderTypingStarted", "SenderAction", data: typing.json, .senderTypingStarted(typing.value)),
        push("SenderTypingEnded", "SenderAction", data: typing.json, .senderTypingEnded(typing.value)),
        push(
            "CaseCreated", "Case", data: #"{\#(origin.json),"case":\#(WireExamples.contact.json)}"#,
            .caseCreated(CaseChanged(origin: origin.value, contact: WireExamples.contact.value))),
        push(
            "CaseStatusChanged", "Case",
            data: #"""
                {\#(origin.json),"case":{"id":"880055","threadIdOnExternalPlatform":"th-1","status":"closed",
                 "statusUpdatedAt":"2026-04-09T06:17:08+00:00","createdAt":"2026-04-09T06:07:08+00:00","customFields":[]}}
                """#,
            .caseStatusChanged(
                CaseChanged(
                    origin: origin.value,
                    contact: WireContact(
                        id: "880055", threadID: "th-1", status: .closed, statusUpdatedAt: time(600), createdAt: time()))
            )),
        push(
            "CaseInboxAssigneeChanged", "Case",
            data: #"""
                {\#(origin.json),"case":\#(WireExamples.contact.json),"inboxAssignee":\#(WireExamples.agent.json),
                 "previousInboxAssignee":null,"routingQueue":{"id":"q-1","name":"Shoes"}}
                """#,
            .caseInboxAssigneeChanged(
                CaseInboxAssigneeChanged(
                    origin: origin.value, contact: WireExamples.contact.value, inboxAssignee: WireExamples.agent.value,
                    routingQueue: RoutingQueue(id: "q-1", name: "Shoes")))),
        push(
            "CaseInboxAssigneeChanged", "Case",
            data: #"""
                {\#(origin.json),"case":\#(WireExamples.contact.json),"inboxAssignee":null,
                 "previousInboxAssignee":\#(WireExamples.agent.json)}
                """#,
            .caseInboxAssigneeChanged(
                CaseInboxAssigneeChanged(
                    origin: origin.value, contact: WireExamples.contact.value, inboxAssignee: nil,
                    previousInboxAssignee: WireExamples.agent.value))),
        push(
            "CaseToRoutingQueueAssignmentChanged", "Case",
            data: #"""
                {\#(origin.json),"case":\#(WireExamples.contact.json),"routingQueue":{"id":"q-1","name":"Shoes"},
                 "previousRoutingQueue":null,"routingMode":"legacy"}
                """#,
            .caseToRoutingQueueAssignmentChanged(
                CaseToRoutingQueueAssignmentChanged(
                    origin: origin.value, contact: WireExamples.contact.value,
                    routingQueue: RoutingQueue(id: "q-1", name: "Shoes")))),
        Example(
            "SetPositionInQueue",
            #"""
            {"eventId":"p-1","eventType":"SetPositionInQueue","data":{"consumerContact":{"id":"880055"},
             "routingQueue":{"id":"q-1"},"positionInQueue":4,"isAnyAgentOnlineForQueue":true}}
            """#,
            .push(
                ServerPush(
                    eventID: "p-1", createdAt: nil,
                    event: .setPositionInQueue(
                        SetPositionInQueue(
                            contactID: "880055", routingQueue: RoutingQueue(id: "q-1"), position: 4,
                            isAnyAgentOnline: true))))),
        push(
            "FireProactiveAction", "ChatWindow",
            data: action(
                "WelcomeMessage",
                #"""
                "content":{"bodyText":"Hi {{customer.firstName|you}}!"},
                "handover":{"customFields":[{"ident":"source","value":"ad","updatedAt":"2026-04-09T06:07:08+00:00"}]}
                """#),
            .fireProactiveAction(
                FireProactiveAction(
                    destinationID: "d-1", actionID: "ac-1", actionName: "Hello", actionType: .welcomeMessage,
                    content: ProactiveContent(bodyText: "Hi {{customer.firstName|you}}!"),
                    handoverFields: [CustomField(ident: "source", value: "ad", updatedAt: time())]))),
        push(
            "FireProactiveAction", "ChatWindow",
            data: action(
                "CustomPopupBox",
                #"""
                "content":{"mimeType":"application/json","headlineText":"H","headlineSecondaryText":"S",
                 "image":"https://x.example/i",
                           "variables":{"headingText":"Sale","bodyText":"Half price","action":{"text":"Look",
                            "url":"https://x.example"}}},
                "handover":{"customFields":[]},"template":{"id":"imageLeft"},"call2action":{"isVisible":true,"text":"Go"},
                "design":{"background":{"color":"#fff"},"border":{"radius":2.5}},"position":{"general":"bottomLeft"}
                """#),
            .fireProactiveAction(
                FireProactiveAction(
                    destinationID: "d-1", actionID: "ac-1", actionName: "Hello", actionType: .customPopupBox,
                    content: ProactiveContent(
                        headlineText: "H", headlineSecondaryText: "S", image: "https://x.example/i",
                        variables: ProactiveContent.Variables(
                            headingText: "Sale", bodyText: "Half price", actionText: "Look",
                            actionURL: "https://x.example")),
                    templateID: "imageLeft",
                    callToAction: FireProactiveAction.CallToAction(isVisible: true, text: "Go"),
                    design: try? RawJSON(
                        json: Array(##"{"background":{"color":"#fff"},"border":{"radius":2.5}}"##.utf8)),
                    position: "bottomLeft"))),
        push(
            "EventInS3", "S3Object",
            data: #"{"s3Object":{"url":"https://s3.example/77?sig=1"},"originEvent":{"eventType":"ThreadRecovered"}}"#,
            .eventInS3(EventInS3(url: "https://s3.example/77?sig=1", originEventType: "ThreadRecovered"))),
        Example(
            "an unknown push", #"{"eventId":"p-1","eventType":"PageViewCreated"}"#,
            .push(ServerPush(eventID: "p-1", createdAt: nil, event: .unknown(type: "PageViewCreated")))),
    ]

    /// Other spellings of the same.
    static let lenient: [Example<ServerFrame>] = [
        push(
            "SenderTypingStarted", "SenderAction",
            data: #"{"thread":{"idOnExternalPlatform":"th-1"},"user":{"id":"per","firstName":null}}"#,
            .senderTypingStarted(
                SenderTyping(
                    origin: PushOrigin(brandID: nil, channelID: nil), thread: ThreadReference(id: "th-1"),
                    agent: WireAgent(id: "per", firstName: "", lastName: ""))),
            sent: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"direction":"outbound","user":{"id":"per","firstName":"","surname":"",
                 "nickname":"","isBotUser":false,"isSurveyUser":false,"publicImageUrl":""}}
                """#),
        push(
            "SenderTypingEnded", "SenderAction", data: #"{"thread":{"idOnExternalPlatform":"th-1"}}"#,
            .senderTypingEnded(
                SenderTyping(
                    origin: PushOrigin(brandID: nil, channelID: nil), thread: ThreadReference(id: "th-1"), agent: nil,
                    direction: .inbound)),
            sent: #"{"thread":{"idOnExternalPlatform":"th-1"},"direction":"inbound"}"#),
        push(
            "CaseStatusChanged", "Case",
            data: #"{"consumerContact":{"id":1,"status":"frozen","createdAt":"2026-04-09T07:07:08+0100"}}"#,
            .caseStatusChanged(
                CaseChanged(
                    origin: PushOrigin(brandID: nil, channelID: nil),
                    contact: WireContact(
                        id: "1", threadID: nil, status: ContactStatus(rawValue: "frozen"), createdAt: time()))),
            sent: #"{"case":{"id":"1","status":"frozen","createdAt":"2026-04-09T06:07:08+00:00","customFields":[]}}"#),
        push(
            "SetPositionInQueue", nil, data: #"{"case":{"id":880055},"positionInQueue":"2"}"#,
            .setPositionInQueue(
                SetPositionInQueue(contactID: "880055", routingQueue: nil, position: 2, isAnyAgentOnline: nil)),
            sent: #"{"consumerContact":{"id":"880055"},"positionInQueue":2}"#),
        push(
            "FireProactiveAction", "ChatWindow",
            data: #"""
                {"proactiveAction":{"action":{"actionId":1,"actionType":"CustomPopupBox","data":{"content":{"variables":[]},
                 "handover":{"customFields":[{"ident":"a","value":"b"}]}}}}}
                """#,
            .fireProactiveAction(
                FireProactiveAction(
                    destinationID: nil, actionID: "1", actionName: "", actionType: .customPopupBox,
                    content: ProactiveContent(),
                    handoverFields: [CustomField(ident: "a", value: "b")])),
            sent: #"""
                {"proactiveAction":{"conditions":[],"action":{"actionId":"1","actionName":"","actionType":"CustomPopupBox",
                 "data":{"content":{},
                 "handover":{"customFields":[{"ident":"a","value":"b","updatedAt":"1970-01-01T00:00:00+00:00"}]}}}}}
                """#, isLossy: true),
        push(
            "MessageCreated", "Message",
            data: #"""
                {"brand":[],"channel":null,"message":{"idOnExternalPlatform":"m-1","threadIdOnExternalPlatform":"th-1",
                 "messageContent":{"type":"TEXT","text":"Hi","payload":[],"parameters":[]},"direction":"Outbound",
                 "createdAtWithMilliseconds":"2026-04-09T06:07:08.045Z","userStatistics":[]}}
                """#,
            .messageCreated(
                MessageCreated(
                    origin: PushOrigin(brandID: nil, channelID: nil), contact: nil, thread: ThreadReference(id: "th-1"),
                    message: WireMessage(
                        id: "m-1", threadID: "th-1", content: .text("Hi"), createdAt: time(milliseconds: 45),
                        preciseCreatedAt: time(milliseconds: 45), direction: .outbound))),
            sent: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"message":{"idOnExternalPlatform":"m-1",
                 "threadIdOnExternalPlatform":"th-1",
                 "messageContent":{"type":"TEXT","payload":{"text":"Hi"},"parameters":{},"postback":null},
                 "createdAt":"2026-04-09T06:07:08+00:00","createdAtWithMilliseconds":"2026-04-09T06:07:08.045+00:00",
                 "direction":"outbound","attachments":[],"userStatistics":{"seenAt":null,"readAt":null},
                 "customerStatistics":{"seenAt":null},"authorUser":null,"authorEndUserIdentity":null,
                 "hasAdditionalMessageContent":false}}
                """#, isLossy: true),
    ]

    private static let origin = (
        json: #""brand":{"id":77},"channel":{"id":"chat_c"}"#, value: PushOrigin(brandID: 77, channelID: "chat_c")
    )

    private static let typing = (
        json: #"""
        {\#(origin.json),"thread":{"idOnExternalPlatform":"th-1","threadName":""},"direction":"outbound",
         "user":\#(WireExamples.agent.json)}
        """#,
        value: SenderTyping(
            origin: origin.value, thread: ThreadReference(id: "th-1", name: ""), agent: WireExamples.agent.value)
    )

    private static func action(_ type: String, _ data: String) -> String {
        #"""
        {"destination":{"id":"d-1"},"proactiveAction":{"conditions":[],
         "action":{"actionId":"ac-1","actionName":"Hello","actionType":"\#(type)","data":{\#(data)}}}}
        """#
    }

    private static func push(
        _ type: String, _ object: String?, data: String, _ event: PushEvent, sent: String? = nil, isLossy: Bool = false
    ) -> Example<ServerFrame> {
        func frame(_ data: String, more: String = "") -> String {
            """
            {"eventId":"p-1",\(object.map { "\"eventObject\":\"\($0)\"," } ?? "")"eventType":"\(type)",
             "createdAt":"2026-04-09T06:07:08+00:00","createdAtWithMilliseconds":"2026-04-09T06:07:08.450+00:00",
             "data":\(data)\(more)}
            """
        }
        var example = Example(
            type, frame(data, more: sent == nil ? "" : #","context":[],"traceId":"x""#),
            ServerFrame.push(
                ServerPush(eventID: "p-1", createdAt: time(), preciseCreatedAt: time(milliseconds: 450), event: event)),
            sent: frame(sent ?? data))
        example.isLossy = isLossy
        return example
    }
}
