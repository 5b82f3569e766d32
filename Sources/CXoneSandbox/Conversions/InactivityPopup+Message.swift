import ChatModel
import CXoneWire

extension WireMessage {
    /// The message by which the platform asks a silent customer. Only the customer's clients see it. Its id
    /// depends on the popup, so that sending it again does not show it twice.
    init(_ popup: ChatModel.InactivityPopup, in thread: ChatThread, _ ids: ClientIDs) {
        let content = CXoneWire.InactivityPopup(
            id: "p1", title: popup.title, text: popup.message, callToAction: "", startedAt: popup.startedAt,
            numberOfSeconds: popup.numberOfSeconds, refresh: .init(popup.refreshButton),
            expire: .init(popup.expireButton))
        self.init(
            id: ids.stable.uuid("popup\n\(popup.refreshButton.id)"), threadID: ids.thread(thread.id),
            serverThreadID: ids.stable.thread(thread.id),
            content: MessageContent(.inactivityPopup(content), fallbackText: popup.title), createdAt: popup.startedAt,
            preciseCreatedAt: popup.startedAt, direction: .outbound)
    }
}

extension CXoneWire.InactivityPopup.Button {
    /// The postback stays as it is: a client sends it back, and ``InactivityAnswer`` reads it.
    init(_ button: ChatModel.InactivityPopup.Button) {
        self.init(id: button.id, text: button.text, postback: button.postback)
    }
}
