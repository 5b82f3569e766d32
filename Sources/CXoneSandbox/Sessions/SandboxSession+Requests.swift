import Chat
import ChatModel
import ChatStore
import CXoneWire

/// What each request does. All of them are answered, also those to which some clients want no answer.
extension SandboxSession {
    /// Does one request. Every request gets an answer: requests that have no answer of their own are
    /// acknowledged. Throws `customerAssociationFailure` before the customer is known, `unsupportedCapability`
    /// for what only web clients have, and what the embedded service throws.
    func handle(_ request: ClientRequest) async throws(ChatError) -> Reply {
        func answer(_ answer: ServerAnswer) -> Reply { Reply(.answer(answer, eventID: request.eventID)) }
        let now = sandbox.store.environment.now()
        let done = Reply(.acknowledgement(Acknowledgement(eventID: request.eventID, createdAt: now)))
        switch request.event {
        case .authorizeCustomer(let data):
            return answer(.consumerAuthorized(try await authorize(request.customer, data)))
        case .reconnectCustomer(let token):
            try await reconnect(token)
            return answer(.consumerReconnected)
        case .refreshToken(let token): return answer(.tokenRefreshed(try refresh(token)))
        case .storeVisitorEvents, .unknown: return done
        default: break
        }
        let me = try known()
        switch request.event {
        case .fetchThreadList: return await answer(.threadListFetched(try threadList()))
        case .loadThreadMetadata(let thread): return await answer(.threadMetadataLoaded(try metadata(thread.id)))
        case .recoverThread(let thread):
            guard let found = try await recovered(thread?.id) else {
                throw ChatError(.recoveringThreadFailed, "Thread not found.")
            }
            return answer(.threadRecovered(found))
        case .recoverLivechat(let thread):
            let found = try await recovered(thread?.id)
            guard found != nil || family.takesEmptyLivechat else {
                throw ChatError(.recoveringThreadFailed, "There is no chat to recover.")
            }
            return answer(.livechatRecovered(found))
        case .loadMoreMessages(let data):
            return await answer(.moreMessagesLoaded(try page(of: data.thread.id, token: data.scrollToken)))
        case .sendMessage(let message): return Reply(done.frame, pushes: try await send(message))
        case .sendOutbound(let message):
            try await greet(message)
            return done
        case .senderTypingStarted(let thread):
            try await reportTyping(true, in: thread.id)
            return done
        case .senderTypingEnded(let thread):
            try await reportTyping(false, in: thread.id)
            return done
        case .messageSeenByCustomer(let thread):
            _ = try await me.connection.markRead(thread.id, receipt: nil)
            return done
        case .updateThread(let thread):
            // Clients say "" for no name.
            _ = try await me.connection.rename(
                thread.id, to: thread.name.flatMap { $0.isEmpty ? nil : $0 }, ifMatch: nil)
            return answer(.threadUpdated)
        case .archiveThread(let thread):
            _ = try await me.connection.archive(thread.id, receipt: nil)
            return answer(.threadArchived)
        case .endContact(let thread, _):
            _ = try await me.connection.endContact(thread.id, receipt: nil)
            return done
        case .setContactCustomFields(let data):
            _ = try await me.connection.setCustomFields(data.fields.values, of: data.thread.id)
            return done
        case .setCustomerCustomFields(let fields):
            _ = try await me.connection.setCustomerCustomFields(fields.values)
            return done
        case .sendTranscript(let data):
            try await checkContact(data.contactID)
            sandbox.log(
                .info, "transcript asked for; the sandbox mails nothing", self,
                ["recipients": "\(data.recipients.count)"])
            return answer(.transcriptSent)
        case .sendMessagePreview(let thread, let content):
            // A page previews the first message too, before there is a thread.
            if case .text(let text) = content.body, try await self.thread(thread.id) != nil {
                let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(TypingPreview.maximumLength)))
                try await me.connection.reportTyping(true, text: shown, in: thread.id)
            }
            return done
        case .sendOfflineMessage(let message):
            guard case .text(let text) = message.content.body else {
                throw ChatError(.invalidParameter, "An offline message is a text.")
            }
            try OfflineMessage(name: message.author.firstName ?? "", email: message.author.id, text: text).check()
            sandbox.log(.info, "offline message left; the sandbox mails nothing", self, [:])
            return answer(.offlineMessageSent)
        case .generateAuthorizationToken:
            return answer(.authorizationTokenGenerated(token: sandbox.token(.content, me.key, face)))
        case .executeTrigger(let id): return Reply(done.frame, pushes: [fired(by: id)])
        case .createInvitationToGroupChat, .sendEmailInvitationToGroupChat, .joinGroupChat,
            .leaveGroupChat:
            throw ChatError(.unsupportedCapability, "The sandbox does not support \(request.event.type).")
        case .authorizeCustomer, .reconnectCustomer, .refreshToken, .storeVisitorEvents, .unknown: return done
        }
    }

    /// Tells the desk, and the customer's other apps.
    private func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        try await known().connection.reportTyping(isTyping, in: thread)
        let named = ThreadReference(id: try await clientIDs(of: thread).thread(thread), name: "")
        let typing = SenderTyping(origin: origin, thread: named, agent: nil, direction: .inbound)
        sandbox.tellOthers(
            isTyping ? .senderTypingStarted(typing) : .senderTypingEnded(typing), of: frameByteCount, than: self)
    }

    /// The answer to any trigger: a popup that says which one came. The sandbox has no configured triggers.
    private func fired(by trigger: String) -> PushEvent {
        .fireProactiveAction(
            FireProactiveAction(
                destinationID: visitor ?? sandbox.makeID(), actionID: sandbox.ids.uuid("trigger\n\(trigger)"),
                actionName: "Trigger",
                actionType: .customPopupBox,
                content: ProactiveContent(
                    variables: .init(
                        headingText: "Trigger", bodyText: "The trigger \(trigger.prefix(128)) was executed.",
                        actionText: "OK",
                        actionURL: ""))))
    }

    // MARK: Who it is

    /// Makes the customer known (`AuthorizeCustomer`), and tells its name and custom fields. On a channel with OAuth
    /// and without secured sessions the authorization code names the customer, and an access token comes with the
    /// answer. On a secured channel the socket's token has named it already. Throws `customerAssociationFailure` if
    /// nothing names it.
    private func authorize(
        _ customer: WireCustomer?, _ data: AuthorizeCustomer
    ) async throws(ChatError) -> ConsumerAuthorized {
        var token: AccessToken?
        var identified: AccountRecord?
        if face.authorization.isOAuth, !face.authorization.isSecured {
            guard let code = data.authorizationCode else {
                throw ChatError(.customerAssociationFailure, "The channel needs an authorization code.")
            }
            var owner = customer ?? WireCustomer(id: "")
            owner.id = sandbox.customer(ofCode: code)
            identified = try await identify(owner)
            token = AccessToken(token: sandbox.token(.access, try known().key, face), expiresIn: Sandbox.tokenLifetime)
        } else if let customer {
            identified = try await identify(customer)
        }
        let me = try known()
        let account: AccountRecord
        if let identified {
            account = identified
        } else {
            account = try await sandbox.store.read { try $0.account(me.account) }
        }
        return ConsumerAuthorized(
            customer: WireCustomer(account.customer), accessToken: token,
            customerFields: [CustomField](account.customFields, updatedAt: account.createdAt))
    }

    /// Makes the customer known by an access token of the sandbox (`ReconnectCustomer`). One that has expired is
    /// refused, and the client then sends `RefreshToken` or authorizes anew.
    private func reconnect(_ token: String) async throws(ChatError) {
        guard let claims = sandbox.claims(token, .access, on: face), !sandbox.isExpired(claims) else {
            throw ChatError(.customerAssociationFailure, "The access token is not valid any more.")
        }
        try await identify(WireCustomer(id: claims.customer))
    }

    /// Exchanges an access token for a new one. An expired token is accepted; one that the sandbox did not sign is
    /// not.
    ///
    /// The customer need not be known on this socket: a client may refresh its token before it reconnects.
    private func refresh(_ token: String) throws(ChatError) -> AccessToken {
        guard let claims = sandbox.claims(token, .access, on: face) else {
            throw ChatError(.customerAssociationFailure, "The access token was not issued by this sandbox.")
        }
        let key = AccountKey(service: "", channel: "", customer: claims.customer)
        return AccessToken(token: sandbox.token(.access, key, face), expiresIn: Sandbox.tokenLifetime)
    }
}

extension ErrorCode {
    /// The platform's error code for the failure of an event. iOS clients get only codes that they know, because
    /// they take an unknown code for success.
    static func failure(of event: ClientEvent, for family: ClientFamily) -> ErrorCode {
        switch event {
        case .authorizeCustomer: family == .ios ? .customerAuthorizationFailed : .consumerAuthorizationFailed
        case .reconnectCustomer: family == .ios ? .customerReconnectionFailed : .consumerReconnectionFailed
        case .refreshToken: .tokenRefreshingFailed
        case .recoverThread: .recoveringThreadFailed
        case .recoverLivechat: .recoveringLivechatFailed
        case .sendTranscript: .sendingTranscriptFailed
        case .sendMessage where family.knowsAllErrorCodes: .sendingMessageFailed
        case .sendOutbound where family.knowsAllErrorCodes: .sendingOutboundFailed
        case .updateThread where family.knowsAllErrorCodes: .updatingThreadFailed
        case .archiveThread where family.knowsAllErrorCodes: .archivingThreadFailed
        case .sendOfflineMessage where family.knowsAllErrorCodes: .sendingOfflineMessageFailed
        default: .inconsistentData
        }
    }
}
