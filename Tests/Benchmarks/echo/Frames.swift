import CXoneWire
import Formats

/// The frames of one message's trip, as the adapter and the sandbox write them.
struct Frames {
    /// What the customer's side sends.
    let question: [UInt8]
    /// As many bytes as come back: the acknowledgement and the platform's own copy of the message.
    let answer: [UInt8]

    init() {
        let ids = (0..<10).map { "0f6a7c1e-52b3-4c39-9d7e-2b1f9a3c4d5\($0)" }
        let text =
            "The parcel has not come yet, although the page says that it was handed over on Tuesday. Can you look?"
        let (brand, channel, time) = (471_100, "chat_" + ids[0], Timestamp(milliseconds: 1_790_000_000_123))
        let customer = WireCustomer(id: ids[1])
        let message = SendMessage(
            thread: ThreadReference(id: ids[2], name: nil), content: .text(text, postback: nil), id: ids[3],
            fingerprint: DeviceFingerprint(
                language: "en", applicationType: "native", os: "Linux", deviceType: "desktop"))
        question = ClientFrame.request(
            ClientRequest(
                eventID: ids[4], brandID: brand, channelID: channel, customer: customer, visitorID: ids[5],
                event: .sendMessage(message))
        ).encoded()
        let created = MessageCreated(
            origin: PushOrigin(brandID: brand, channelID: channel),
            contact: WireContact(id: "4711", threadID: ids[2], status: .new, statusUpdatedAt: time, createdAt: time),
            thread: ThreadReference(id: ids[2], name: "", serverID: ids[6]),
            message: WireMessage(
                id: ids[3], serverID: ids[7], threadID: ids[2], serverThreadID: ids[6], content: message.content,
                createdAt: time,
                preciseCreatedAt: time, direction: .inbound, authorCustomer: customer))
        answer =
            ServerFrame.acknowledgement(Acknowledgement(eventID: ids[4], createdAt: time)).encoded()
            + ServerFrame.push(
                ServerPush(
                    eventID: ids[8], createdAt: time, preciseCreatedAt: time, event: .messageCreated(created))
            ).encoded()
    }
}
