import CXoneWire

extension ClientEvent {
    /// The thread that the event is about; nil for an event of no thread.
    var thread: ThreadReference? {
        var (copy, found) = (self, ThreadReference?.none)
        copy.changeThread { found = $0 }
        return found
    }

    /// Changes the thread that the event is about. An event of no thread stays as it is.
    mutating func changeThread(_ change: (inout ThreadReference) -> Void) {
        func changed(_ thread: ThreadReference) -> ThreadReference {
            var thread = thread
            change(&thread)
            return thread
        }
        switch self {
        case .loadThreadMetadata(let thread): self = .loadThreadMetadata(changed(thread))
        case .recoverThread(let thread?): self = .recoverThread(changed(thread))
        case .recoverLivechat(let thread?): self = .recoverLivechat(changed(thread))
        case .loadMoreMessages(var data):
            change(&data.thread)
            self = .loadMoreMessages(data)
        case .sendMessage(var message):
            change(&message.thread)
            self = .sendMessage(message)
        case .sendOutbound(var message):
            change(&message.thread)
            self = .sendOutbound(message)
        case .senderTypingStarted(let thread): self = .senderTypingStarted(changed(thread))
        case .senderTypingEnded(let thread): self = .senderTypingEnded(changed(thread))
        case .messageSeenByCustomer(let thread): self = .messageSeenByCustomer(changed(thread))
        case .updateThread(let thread): self = .updateThread(changed(thread))
        case .archiveThread(let thread): self = .archiveThread(changed(thread))
        case .endContact(let thread, let contact): self = .endContact(changed(thread), contactID: contact)
        case .setContactCustomFields(var data):
            change(&data.thread)
            self = .setContactCustomFields(data)
        case .sendMessagePreview(let thread, let content): self = .sendMessagePreview(changed(thread), content)
        case .generateAuthorizationToken(let thread, let url):
            self = .generateAuthorizationToken(changed(thread), url: url)
        case .authorizeCustomer, .reconnectCustomer, .refreshToken, .fetchThreadList, .recoverThread(nil),
            .recoverLivechat(nil), .setCustomerCustomFields, .sendTranscript, .executeTrigger, .storeVisitorEvents,
            .sendOfflineMessage, .createInvitationToGroupChat, .sendEmailInvitationToGroupChat, .joinGroupChat,
            .leaveGroupChat, .unknown:
            break
        }
    }
}
