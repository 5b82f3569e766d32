import Chat
import ChatModel
import ChatStore
import CXoneWire

/// What the platform does by itself in a customer's chat: it welcomes, and shows popups.
struct ProactiveActions: Sendable {
    let account: ConnectedAccount

    /// `FireProactiveAction`. A welcome message is stored for threads that are made later; the custom fields that
    /// come with it become the customer's. Actions of any other type are ignored, except a `customPopupBox`.
    func handle(_ action: FireProactiveAction) async throws(ChatError) {
        if action.actionType == .customPopupBox { return show(action) }
        guard action.actionType == .welcomeMessage, let text = action.content.bodyText, !text.isEmpty else { return }
        try await account.service.vault.update(account.record) { $0.welcomeMessage = text }
        guard !action.handoverFields.isEmpty else { return }
        let number = account.number
        try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.store.write { [self] transaction in
                var times = FieldTimes.Times()
                try account.mergeCustomerFields(action.handoverFields, noting: &times, in: transaction)
                account.service.fieldTimes.offer(times, account: number, as: offer)
            }
        }
    }

    /// Tells the sessions live about a popup (the SDK's `customPopupBox`). It belongs to no thread and is not
    /// stored: a session that is away misses it.
    private func show(_ action: FireProactiveAction) {
        let texts = action.content.variables
        let box = CustomPopupBox(
            actionID: action.actionID, actionName: action.actionName,
            heading: texts?.headingText ?? action.content.headlineText,
            text: texts?.bodyText ?? action.content.bodyText,
            buttonText: texts?.actionText, buttonURL: texts?.actionURL)
        account.store.feed.publish(ProactiveEvent(.customPopupBox(box)), to: [.account(account.number)])
    }
}
