@testable import CXoneWire

/// Objects that many frames contain, as a server writes them.
enum WireExamples {
    static let agent: (json: String, value: WireAgent) = (
        #"""
        {"id":512,"firstName":"Per","surname":"Lund","nickname":"Pelle","isBotUser":false,"isSurveyUser":false,
         "publicImageUrl":"https://x.example/per"}
        """#,
        WireAgent(id: "512", firstName: "Per", lastName: "Lund", nickname: "Pelle", imageURL: "https://x.example/per")
    )

    static let contact: (json: String, value: WireContact) = (
        #"""
        {"id":"880055","threadIdOnExternalPlatform":"th-1","status":"open","createdAt":"2026-04-09T06:07:09+00:00",
         "customFields":[{"ident":"size","value":"42","updatedAt":"2026-04-09T06:07:08+00:00"}]}
        """#,
        WireContact(
            id: "880055", threadID: "th-1", status: .open, createdAt: time(1),
            customFields: [CustomField(ident: "size", value: "42", updatedAt: time())])
    )

    static let inbound: (json: String, value: WireMessage) = (
        #"""
        {"id":"s-1","idOnExternalPlatform":"m-1","threadId":"s-th-1","threadIdOnExternalPlatform":"th-1",
         "messageContent":{"type":"TEXT","payload":{"text":"They leak."},"fallbackText":"Not shown","parameters":{},
          "postback":null},
         "createdAt":"2026-04-09T06:07:08+00:00","createdAtWithMilliseconds":"2026-04-09T06:07:08.045+00:00",
          "direction":"inbound",
         "attachments":[{"id":"a-1","url":"https://x.example/b","friendlyName":"boots","mimeType":"image/jpeg",
          "fileName":"b.jpg","securedPermanentUrl":"https://x.example/p","previewUrl":"https://x.example/v"}],
         "userStatistics":{"seenAt":"2026-04-09T06:07:18+00:00","readAt":"2026-04-09T06:07:28+00:00"},
         "customerStatistics":{"seenAt":null},"authorUser":null,
         "authorEndUserIdentity":{"idOnExternalPlatform":"ida","firstName":"Ida","lastName":"Holm"},
         "hasAdditionalMessageContent":false}
        """#,
        WireMessage(
            id: "m-1", serverID: "s-1", threadID: "th-1", serverThreadID: "s-th-1",
            content: MessageContent(.text("They leak."), fallbackText: "Not shown"), createdAt: time(),
            preciseCreatedAt: time(milliseconds: 45), direction: .inbound,
            attachments: [
                WireAttachment(
                    url: "https://x.example/b", friendlyName: "boots", mimeType: "image/jpeg", fileName: "b.jpg",
                    id: "a-1", permanentURL: "https://x.example/p", previewURL: "https://x.example/v")
            ],
            agentStatistics: MessageStatistics(seenAt: time(10), readAt: time(20)),
            authorCustomer: WireCustomer(id: "ida", firstName: "Ida", lastName: "Holm"))
    )

    static let outbound: (json: String, value: WireMessage) = (
        #"""
        {"idOnExternalPlatform":"m-9","threadIdOnExternalPlatform":"th-1",
         "messageContent":{"type":"TEXT","payload":{"text":"Send them back."},"parameters":{},"postback":null},
         "createdAt":"2026-04-09T06:08:08+00:00","direction":"outbound","attachments":[],
         "userStatistics":{"seenAt":null,"readAt":null},"customerStatistics":{"seenAt":"2026-04-09T06:09:08+00:00"},
         "authorUser":\#(agent.json),"authorEndUserIdentity":null,"hasAdditionalMessageContent":false}
        """#,
        WireMessage(
            id: "m-9", threadID: "th-1", content: .text("Send them back."), createdAt: time(60), direction: .outbound,
            customerStatistics: MessageStatistics(seenAt: time(120)), authorAgent: agent.value)
    )
}
