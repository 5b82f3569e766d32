@testable import CXoneWire

/// Every frame of a client: as the iOS SDK sends it, and as the others do where they differ.
enum ClientExamples {
    static let ios: [Example<ClientFrame>] = [
        Example("Heartbeat", #"{"action":"heartbeat"}"#, .heartbeat),
        ios(
            "AuthorizeCustomer",
            data: #"""
                {"disableChannelInfo":true,"sdkPlatform":"ios","sdkVersion":"9.8.7",
                 "authorization":{"authorizationCode":"code-1","codeVerifier":"verifier-1"}}
                """#,
            .authorizeCustomer(
                AuthorizeCustomer(
                    sdkPlatform: "ios", sdkVersion: "9.8.7", authorizationCode: "code-1", codeVerifier: "verifier-1"))),
        ios(
            "AuthorizeCustomer", data: #"{"disableChannelInfo":true,"sdkPlatform":"ios","sdkVersion":"9.8.7"}"#,
            .authorizeCustomer(AuthorizeCustomer(sdkPlatform: "ios", sdkVersion: "9.8.7"))),
        ios("ReconnectCustomer", data: #"{"accessToken":{"token":"t-1"}}"#, .reconnectCustomer(accessToken: "t-1")),
        ios("RefreshToken", data: #"{"accessToken":{"token":"t-2"}}"#, .refreshToken(accessToken: "t-2")),
        ios("FetchThreadList", data: nil, .fetchThreadList),
        ios("LoadThreadMetadata", data: thread, .loadThreadMetadata(ThreadReference(id: "th-1"))),
        ios("RecoverThread", data: thread, .recoverThread(ThreadReference(id: "th-1"))),
        ios("RecoverThread", data: nil, .recoverThread(nil)),
        ios("RecoverLivechat", data: thread, .recoverLivechat(ThreadReference(id: "th-1"))),
        ios("RecoverLivechat", data: nil, .recoverLivechat(nil)),
        ios(
            "LoadMoreMessages",
            data: #"""
                {"scrollToken":"c2Nyb2xs","thread":{"idOnExternalPlatform":"th-1","threadName":"Boots"},
                 "oldestMessageDatetime":"2026-04-09T06:07:08Z"}
                """#,
            .loadMoreMessages(
                LoadMoreMessages(
                    scrollToken: "c2Nyb2xs", thread: ThreadReference(id: "th-1", name: "Boots"),
                    oldestMessageTime: time()))),
        ios("SendMessage", data: sentMessage, .sendMessage(message)),
        ios(
            "SendMessage",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"messageContent":{"type":"TEXT","payload":{"text":"Red"},
                 "parameters":{"isInactivityPopupAnswer":true},"postback":"/red"},"idOnExternalPlatform":"m-2",
                 "customer":{"customFields":[]},"contact":{"customFields":[]},"attachments":[]}
                """#,
            .sendMessage(
                SendMessage(
                    thread: ThreadReference(id: "th-1"),
                    content: MessageContent(
                        .text("Red"), parameters: MessageParameters(isInactivityPopupAnswer: true), postback: "/red"),
                    id: "m-2"))),
        ios(
            "SendOutbound",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"messageContent":{"type":"TEXT","payload":{"text":"Welcome, Ida"},
                 "parameters":{},"postback":null},"idOnExternalPlatform":"m-3","consumerContact":{"customFields":[]},
                 "attachments":[],"browserFingerprint":{"country":"DK","language":"da","applicationType":"native"}}
                """#,
            .sendOutbound(
                SendMessage(
                    thread: ThreadReference(id: "th-1"), content: .text("Welcome, Ida"), id: "m-3",
                    fingerprint: DeviceFingerprint(country: "DK", language: "da", applicationType: "native")))),
        ios("SenderTypingStarted", data: thread, .senderTypingStarted(ThreadReference(id: "th-1"))),
        ios("SenderTypingEnded", data: thread, .senderTypingEnded(ThreadReference(id: "th-1"))),
        ios("MessageSeenByCustomer", data: thread, .messageSeenByCustomer(ThreadReference(id: "th-1"))),
        ios("UpdateThread", data: namedThread, .updateThread(ThreadReference(id: "th-1", name: "Boots"))),
        ios("ArchiveThread", data: namedThread, .archiveThread(ThreadReference(id: "th-1", name: "Boots"))),
        ios(
            "EndContact", data: #"{"thread":{"idOnExternalPlatform":"th-1"},"contact":{"id":"880055"}}"#,
            .endContact(ThreadReference(id: "th-1"), contactID: "880055")),
        ios(
            "SetContactCustomFields",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"contact":{"id":"880055"},
                 "customFields":[{"ident":"size","value":"42","updatedAt":"2026-04-09T06:07:08Z"}]}
                """#,
            .setContactCustomFields(
                SetContactCustomFields(
                    thread: ThreadReference(id: "th-1"),
                    fields: [CustomField(ident: "size", value: "42", updatedAt: time())], contactID: "880055"))),
        ios(
            "SetCustomerCustomFields",
            data: #"""
                {"customFields":[{"ident":"club","value":"gold","updatedAt":"2026-04-09T06:07:18Z"}]}
                """#,
            .setCustomerCustomFields([CustomField(ident: "club", value: "gold", updatedAt: time(10))])),
        ios(
            "SendTranscript",
            data: #"""
                {"consumerContact":{"id":"880055"},"consumerRecipients":[{"idOnExternalPlatform":"ida@example.org"}]}
                """#,
            .sendTranscript(SendTranscript(contactID: "880055", recipients: ["ida@example.org"]))),
        Example(
            "ExecuteTrigger",
            frame(
                "ExecuteTrigger", identity: "customerIdentity", data: #"{"trigger":{"id":"tr-1"}}"#,
                more: #","destination":{"id":"d-1"}"#),
            request(.executeTrigger(id: "tr-1"), destinationID: "d-1")),
    ]

    static let others: [Example<ClientFrame>] = [
        other(
            "AuthorizeCustomer of Android", "AuthorizeCustomer",
            data: #"{"disableChannelInfo":true,"sdkPlatform":"android","sdkVersion":"9.8","authorization":{}}"#,
            .authorizeCustomer(AuthorizeCustomer(sdkPlatform: "android", sdkVersion: "9.8")),
            sent: #"{"disableChannelInfo":true,"sdkPlatform":"android","sdkVersion":"9.8"}"#),
        other(
            "AuthorizeCustomer of web", "AuthorizeCustomer",
            data: #"""
                {"disableChannelInfo":true,"sdkPlatform":"web","sdkVersion":"9.8","authorization":{"authorizationCode":null},
                 "browserFingerprint":{"browser":"Otter","browserVersion":12,"location":"Europe/Oslo","ip":""}}
                """#,
            .authorizeCustomer(
                AuthorizeCustomer(
                    sdkPlatform: "web", sdkVersion: "9.8",
                    fingerprint: DeviceFingerprint(
                        browser: "Otter", browserVersion: "12", ip: "", location: "Europe/Oslo"))),
            sent: #"""
                {"disableChannelInfo":true,"sdkPlatform":"web","sdkVersion":"9.8",
                 "browserFingerprint":{"browser":"Otter","browserVersion":"12","location":"Europe/Oslo","ip":""}}
                """#),
        other(
            "ReconnectConsumer", "ReconnectConsumer", data: #"{"accessToken":{"token":"t-1"}}"#,
            .reconnectCustomer(accessToken: "t-1")),
        other("FetchThreadList with data", "FetchThreadList", data: "{}", .fetchThreadList, sent: .some(nil)),
        other("RecoverThread of web", "RecoverThread", data: "{}", .recoverThread(nil), sent: .some(nil)),
        other("RecoverThread with no object", "RecoverThread", data: "[]", .recoverThread(nil), sent: .some(nil)),
        other(
            "RecoverThread of Android", "RecoverThread", data: #"{"thread":{"client_type":"no_thread_id"}}"#,
            .recoverThread(nil), sent: .some(nil)),
        other(
            "RecoverLivechat of Android", "RecoverLivechat",
            data: #"{"thread":{"client_type":"thread_id","idOnExternalPlatform":"th-1"}}"#,
            .recoverLivechat(ThreadReference(id: "th-1")), sent: thread),
        other(
            "LoadMoreMessages of web", "LoadMoreMessages",
            data: #"""
                {"scrollToken":"s","thread":{"idOnExternalPlatform":"th-1"},"contact":{"id":880055},
                 "oldestMessageDatetime":"2026-04-09T07:07:08.25+0100"}
                """#,
            .loadMoreMessages(
                LoadMoreMessages(
                    scrollToken: "s", thread: ThreadReference(id: "th-1"),
                    oldestMessageTime: time(milliseconds: 250), contactID: "880055")),
            sent: #"""
                {"scrollToken":"s","thread":{"idOnExternalPlatform":"th-1"},"contact":{"id":"880055"},
                 "oldestMessageDatetime":"2026-04-09T06:07:08Z"}
                """#, isLossy: true),
        other(
            "SendMessage of web", "SendMessage",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"TEXT","payload":{"text":"Red","postback":"/red"},"postback":"/red"},
                 "idOnExternalPlatform":"m-4","consumer":{"customFields":[{"ident":"club","value":null}]},
                 "consumerContact":{"customFields":[{"ident":"size","value":"42"}]},"attachments":[],
                 "browserFingerprint":{"os":"Plan 9","deviceType":"tablet"}}
                """#,
            .sendMessage(
                SendMessage(
                    thread: ThreadReference(id: "th-1"), content: .text("Red", postback: "/red"), id: "m-4",
                    customerFields: [CustomField(ident: "club", value: "")],
                    contactFields: [CustomField(ident: "size", value: "42")],
                    fingerprint: DeviceFingerprint(os: "Plan 9", deviceType: "tablet"))),
            sent: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"TEXT","payload":{"text":"Red"},"parameters":{},"postback":"/red"},
                 "idOnExternalPlatform":"m-4","customer":{"customFields":[{"ident":"club","value":""}]},
                 "contact":{"customFields":[{"ident":"size","value":"42"}]},"attachments":[],
                 "deviceFingerprint":{"os":"Plan 9","deviceType":"tablet"}}
                """#),
        other(
            "SendMessage of Android", "SendMessage",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"POSTBACK","payload":{"text":"Go on","postback":"p-1"},"parameters":[]},
                 "idOnExternalPlatform":"m-5",
                 "attachments":[{"url":"https://x.example/1","friendlyName":"document","mimeType":"image/png"}]}
                """#,
            .sendMessage(
                SendMessage(
                    thread: ThreadReference(id: "th-1"), content: MessageContent(.postback("Go on"), postback: "p-1"),
                    id: "m-5",
                    attachments: [
                        WireAttachment(
                            url: "https://x.example/1", friendlyName: "document", mimeType: "image/png",
                            fileName: "document")
                    ])),
            sent: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"POSTBACK","payload":{"text":"Go on","postback":"p-1"},"parameters":{},
                  "postback":"p-1"},
                 "idOnExternalPlatform":"m-5","customer":{"customFields":[]},"contact":{"customFields":[]},
                 "attachments":[{"url":"https://x.example/1","friendlyName":"document","mimeType":"image/png",
                  "fileName":"document"}]}
                """#),
        other(
            "SendOutbound of Android", "SendOutbound",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},"messageContent":{"type":"TEXT","payload":{"text":"Hej"}},
                 "idOnExternalPlatform":"m-6","consumer":{"customFields":[{"ident":"club","value":"gold"}]}}
                """#,
            .sendOutbound(
                SendMessage(
                    thread: ThreadReference(id: "th-1"), content: .text("Hej"), id: "m-6",
                    customerFields: [CustomField(ident: "club", value: "gold")])),
            sent: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"TEXT","payload":{"text":"Hej"},"parameters":{},"postback":null},
                 "idOnExternalPlatform":"m-6","consumer":{"customFields":[{"ident":"club","value":"gold"}]},
                 "consumerContact":{"customFields":[]},"attachments":[]}
                """#),
        other(
            "MessageSeenByConsumer", "MessageSeenByConsumer", data: thread,
            .messageSeenByCustomer(ThreadReference(id: "th-1"))),
        other(
            "EndContact by thread", "EndContact", data: thread, .endContact(ThreadReference(id: "th-1"), contactID: nil)
        ),
        other(
            "SetConsumerContactCustomFields", "SetConsumerContactCustomFields",
            data: #"{"customFields":[{"ident":"size","value":"43"}],"thread":{"idOnExternalPlatform":"th-1"}}"#,
            .setContactCustomFields(
                SetContactCustomFields(
                    thread: ThreadReference(id: "th-1"), fields: [CustomField(ident: "size", value: "43")],
                    contactID: nil))),
        other(
            "SetConsumerCustomFields", "SetConsumerCustomFields",
            data: #"{"customFields":[{"ident":"age","value":7}]}"#,
            .setCustomerCustomFields([CustomField(ident: "age", value: "7")]),
            sent: #"{"customFields":[{"ident":"age","value":"7"}]}"#),
        other(
            "SendTranscript with contact", "SendTranscript",
            data: #"{"contact":{"id":"880055"},"customerRecipients":[{"idOnExternalPlatform":"ida@example.org"}]}"#,
            .sendTranscript(SendTranscript(contactID: "880055", recipients: ["ida@example.org"])),
            sent:
                #"{"consumerContact":{"id":"880055"},"consumerRecipients":[{"idOnExternalPlatform":"ida@example.org"}]}"#
        ),
        other(
            "StoreVisitorEvents", "StoreVisitorEvents",
            data: #"""
                {"visitorEvents":[{"id":"v-1","type":"ChatWindowOpened","createdAtWithMilliseconds":"2026-04-09T06:07:08.512z",
                 "data":{}}]}
                """#,
            .storeVisitorEvents([
                AnalyticsEvent(
                    id: "v-1", visitID: nil, destinationID: nil, createdAt: time(milliseconds: 512),
                    action: .chatWindowOpened)
            ]),
            sent: #"""
                {"visitorEvents":[{"id":"v-1","type":"ChatWindowOpened","createdAtWithMilliseconds":"2026-04-09T06:07:08.512Z",
                 "data":{}}]}
                """#),
        other(
            "SendOfflineMessage", "SendOfflineMessage",
            data: #"""
                {"messageContent":{"type":"TEXT","payload":{"text":"Ring me"},"parameters":{},"postback":null},
                 "authorCustomerIdentity":{"idOnExternalPlatform":"ida@example.org","firstName":"Ida"}}
                """#,
            .sendOfflineMessage(
                SendOfflineMessage(
                    content: .text("Ring me"), author: WireCustomer(id: "ida@example.org", firstName: "Ida")))),
        other(
            "SendMessagePreview", "SendMessagePreview",
            data: #"""
                {"thread":{"idOnExternalPlatform":"th-1"},
                 "messageContent":{"type":"TEXT","payload":{"text":"Where a"},"parameters":{},"postback":null}}
                """#,
            .sendMessagePreview(ThreadReference(id: "th-1"), .text("Where a"))),
        other(
            "GenerateAuthorizationToken", "GenerateAuthorizationToken",
            data: #"{"thread":{"idOnExternalPlatform":"th-1"},"url":"/chat/1.0/brand/77/messages/s-1"}"#,
            .generateAuthorizationToken(ThreadReference(id: "th-1"), url: "/chat/1.0/brand/77/messages/s-1")),
        other(
            "CreateInvitationToGroupChat", "CreateInvitationToGroupChat", data: #"{"contact":{"id":"880055"}}"#,
            .createInvitationToGroupChat(contactID: "880055")),
        other(
            "SendEmailInvitationToGroupChat", "SendEmailInvitationToGroupChat",
            data: #"""
                {"contact":{"id":"880055"},"invitation":{"code":"QX9"},"recipients":[{"idOnExternalPlatform":"per@example.org"}]}
                """#,
            .sendEmailInvitationToGroupChat(contactID: "880055", code: "QX9", recipients: ["per@example.org"])),
        other("JoinGroupChat", "JoinGroupChat", data: #"{"invitation":{"code":"QX9"}}"#, .joinGroupChat(code: "QX9")),
        other(
            "LeaveGroupChat", "LeaveGroupChat", data: #"{"contact":{"id":"880055"}}"#,
            .leaveGroupChat(contactID: "880055")),
        other(
            "an unknown event", "AddVisitorTags", data: #"{"tags":[1,{}]}"#, .unknown(type: "AddVisitorTags"),
            sent: .some(nil)),
        Example(
            "the envelope of web",
            #"""
            {"action":"chatWindowEvent","eventId":"e-1","extra":[{"deep":null}],"payload":{"brand":{"id":"77","x":1},
             "channel":{"id":"chat_c"},"consumerIdentity":{"idOnExternalPlatform":12,"firstName":"","lastName":null,
             "image":"https://x.example/i"},"eventType":"FetchThreadList","destination":{},"visitor":{},
             "visit":{"id":"vi-1"},"data":{}}}
            """#,
            .request(
                ClientRequest(
                    eventID: "e-1", brandID: 77, channelID: "chat_c",
                    customer: WireCustomer(id: "12", image: "https://x.example/i"), visitorID: nil, visitID: "vi-1",
                    event: .fetchThreadList)),
            sent: #"""
                {"action":"chatWindowEvent","eventId":"e-1","payload":{"brand":{"id":77},"channel":{"id":"chat_c"},
                 "customerIdentity":{"idOnExternalPlatform":"12","image":"https://x.example/i"},
                 "eventType":"FetchThreadList","visit":{"id":"vi-1"}}}
                """#),
    ]

    private static let thread = #"{"thread":{"idOnExternalPlatform":"th-1"}}"#
    private static let namedThread = #"{"thread":{"idOnExternalPlatform":"th-1","threadName":"Boots"}}"#

    private static let sentMessage = #"""
        {"thread":{"idOnExternalPlatform":"th-1","threadName":"Boots"},
         "messageContent":{"type":"TEXT","payload":{"text":"They \"leak\".\n😀"},"parameters":{},"postback":null},
         "idOnExternalPlatform":"m-1",
         "customer":{"customFields":[{"ident":"club","value":"gold","updatedAt":"2026-04-09T06:07:08Z"}]},
         "contact":{"customFields":[{"ident":"size","value":"42","updatedAt":"2026-04-09T06:07:09Z"}]},
         "attachments":[{"url":"https://x.example/b","friendlyName":"boots","mimeType":"image/jpeg","fileName":"boots.jpg"}],
         "deviceFingerprint":{"country":"DK","language":"da","applicationType":"native","os":"iOS","osVersion":"20.1",
                              "deviceType":"mobile","deviceToken":"ff00"},
         "accessToken":{"token":"t-1"}}
        """#

    private static let message = SendMessage(
        thread: ThreadReference(id: "th-1", name: "Boots"), content: .text("They \"leak\".\n😀"), id: "m-1",
        customerFields: [CustomField(ident: "club", value: "gold", updatedAt: time())],
        contactFields: [CustomField(ident: "size", value: "42", updatedAt: time(1))],
        attachments: [
            WireAttachment(
                url: "https://x.example/b", friendlyName: "boots", mimeType: "image/jpeg", fileName: "boots.jpg")
        ],
        fingerprint: DeviceFingerprint(
            country: "DK", language: "da", applicationType: "native", os: "iOS", osVersion: "20.1",
            deviceType: "mobile",
            deviceToken: .token("ff00")),
        accessToken: "t-1")

    private static func frame(_ type: String, identity: String, data: String?, more: String = "") -> String {
        """
        {"action":"\(type.hasPrefix("Authorize") ? "register" : "chatWindowEvent")","eventId":"e-1","payload":{
         "brand":{"id":77},"channel":{"id":"chat_c"},
         "\(identity)":{"idOnExternalPlatform":"ida","firstName":"Ida","lastName":"Holm"},
         "eventType":"\(type)","visitor":{"id":"vr-1"}\(more)\(data.map { ",\"data\":\($0)" } ?? "")}}
        """
    }

    private static func request(_ event: ClientEvent, destinationID: String? = nil) -> ClientFrame {
        .request(
            ClientRequest(
                eventID: "e-1", brandID: 77, channelID: "chat_c",
                customer: WireCustomer(id: "ida", firstName: "Ida", lastName: "Holm"), visitorID: "vr-1",
                destinationID: destinationID, event: event))
    }

    private static let consumerEvents: Set<String> = [
        "ReconnectCustomer", "RefreshToken", "SendOutbound", "EndContact", "SendTranscript", "StoreVisitorEvents",
    ]

    private static func ios(_ type: String, data: String?, _ event: ClientEvent) -> Example<ClientFrame> {
        let identity = consumerEvents.contains(type) ? "consumerIdentity" : "customerIdentity"
        return Example(type, frame(type, identity: identity, data: data), request(event))
    }

    /// A frame of the other families, which name the customer the other way; `sent` is the data as iOS would send it.
    private static func other(
        _ name: String, _ type: String, data: String, _ event: ClientEvent, sent: String?? = nil,
        isLossy: Bool = false
    ) -> Example<ClientFrame> {
        let identity = event.usesConsumerIdentity ? "consumerIdentity" : "customerIdentity"
        let received = identity == "customerIdentity" ? "consumerIdentity" : "customerIdentity"
        var example = Example(
            name, frame(type, identity: received, data: data), request(event),
            sent: frame(event.type, identity: identity, data: sent ?? data))
        example.isLossy = isLossy
        return example
    }
}
