import Chat
import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// Bots: users whom the sandbox calls where they are members.
extension SendbirdSandbox {
    /// `POST /bots`
    func createBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked: CreateBot = try request.read()
        try checkID(asked.id)
        try checkCallback(asked.settings.callbackURL)
        let key = key(of: asked.id)
        let (bot, target) = try await write { transaction in
            if try transaction.knownUser(asked.id, in: self) != nil {
                throw SendbirdError(.existsAlready, "The user exists already.")
            }
            var account = try transaction.openAccount(key)
            return try self.write(asked.settings, to: &account, isNew: true, in: transaction)
        }
        try await refresh(target)
        return bot
    }

    /// `PUT /bots/{id}`
    func updateBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id) = (try request.read(UpdateBot.self), request.parameters["user"])
        try checkCallback(asked.settings.callbackURL)
        let (bot, target) = try await write { transaction in
            var account = try transaction.bot(id, in: self).account
            return try self.write(asked.settings, to: &account, isNew: false, in: transaction)
        }
        try await refresh(target)
        return bot
    }

    /// `GET /bots/{id}`
    func bot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        return try await read { try self.shape(of: $0.bot(id, in: self)) }
    }

    /// `GET /bots`, by id.
    func bots(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, [], in: self)
        let skipped = try filter.place()
        let (bots, hasMore) = try await read { transaction in
            try transaction.usersPage(in: self, after: skipped, limit: limit) { account, extras in
                extras.bot.map { self.shape(of: (account, extras, $0)) }
            }
        }
        return SendbirdPage(bots, next: hasMore ? filter.token(skipped + limit) : "")
    }

    /// `DELETE /bots/{id}`
    func deleteBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        _ = try await read { try $0.bot(id, in: self) }
        return try await deleteUser(request)
    }

    /// `POST /bots/{id}/send`, as JSON or as a form without a file.
    func sendAsBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, file) = try FileForm.read(request, as: SendAsBot.self)
        guard file == nil else { throw SendbirdError(.notServed, "A bot sends no file here.") }
        let id = request.parameters["user"]
        _ = try await read { try $0.bot(id, in: self) }
        var message = asked.message
        message.userID = id
        return SentAsBot(try await send(message, nil, to: asked.url, at: request.origin))
    }

    /// `POST /bots/{id}/channels`
    func joinBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id, desk) = (try request.read(JoinBot.self), request.parameters["user"], service.desk)
        let urls = unique(asked.urls)
        _ = try await read { transaction in
            _ = try transaction.bot(id, in: self)
            for url in urls { _ = try transaction.knownChannel(url, in: self) }
        }
        guard let last = urls.last else { throw SendbirdError(.missing, "\"channel_urls\" is missing.") }
        for url in urls where !(try await memberIDs(of: url)).contains(id) {
            _ = try await act(with: DeedContext(isJoining: true)) { () throws(ChatError) in
                try await desk.add(
                    [MemberDraft(id: id, state: .joined)], to: DeskThread(id: url, channel: channel), as: nil,
                    receipt: nil)
            }
        }
        return try await channel(last, as: ChannelView(origin: request.origin))
    }

    /// `DELETE /bots/{id}/channels`, and of one of them.
    func leaveAsBot(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (id, url) = (request.parameters["user"], request.parameters["channel"])
        _ = try await read { try $0.bot(id, in: self) }
        if url.isEmpty {
            try await leaveAll(id)
        } else {
            try await checkMember(id, of: url, is: nil)
            try await remove([id], from: url)
        }
        return SendbirdNothing()
    }

    // MARK: Their rows

    private func write(
        _ asked: BotSettings, to account: inout AccountRecord, isNew: Bool, in transaction: WriteTransaction
    ) throws -> (SendbirdBot, Int64?) {
        let before = account
        if let name = asked.nickname { account.customer.firstName = name.isEmpty ? nil : name }
        if let url = asked.profileURL { account.customer.imageURL = url.isEmpty ? nil : url }
        try transaction.save(account, since: before, isNew: isNew)
        let (extras, bot) = try transaction.change(UserExtras.self, of: .account(account.number)) { extras in
            if isNew {
                extras = UserExtras()
                extras.isMade = true
            }
            var bot = extras.bot ?? BotExtras()
            bot.change(asked)
            extras.bot = bot
            if let metadata = asked.metadata { extras.metadata = metadata }
            return (extras, bot)
        }
        let target = try transaction.setTarget(ofBot: account.key.customer, to: bot.callbackURL, self)
        return (shape(of: (account, extras, bot)), target)
    }

    func shape(of found: (account: AccountRecord, extras: UserExtras, bot: BotExtras)) -> SendbirdBot {
        var bot = SendbirdBot(id: found.account.key.customer)
        (bot.nickname, bot.profileURL) = (found.account.customer.fullName ?? "", found.account.customer.imageURL ?? "")
        (bot.token, bot.type, bot.metadata) = (sdkToken(of: bot.id), found.bot.type, found.extras.metadata)
        (bot.callbackURL, bot.isPrivate) = (found.bot.callbackURL, found.bot.isPrivate)
        return bot
    }

    private func checkCallback(_ url: String?) throws(SendbirdError) {
        if let url, !url.isEmpty { try checkTarget(url, "bot_callback_url") }
    }

    func refresh(_ target: Int64?) async throws(SendbirdError) {
        guard let target else { return }
        let targets = targets
        try await act { () throws(ChatError) in try await targets.refresh(target) }
    }

    /// The id of a bot's target.
    func targetID(ofBot id: String) -> String { "sendbird-" + ids.uuid("bot\n\(channel)\n\(id)") }
}

extension ReadTransaction {
    /// Throws 400301 for a user who is no bot.
    func bot(
        _ id: String, in sandbox: SendbirdSandbox
    ) throws -> (account: AccountRecord, extras: UserExtras, bot: BotExtras) {
        let account = try user(id, in: sandbox), extras = try extras(of: account)
        guard let bot = extras.bot else {
            throw SendbirdError(.userNotFound, "No such bot: \(id.prefix(SendbirdBound.userID)).")
        }
        return (account, extras, bot)
    }
}

extension WriteTransaction {
    /// Makes the target of a bot's callbacks, changes it, or removes it where the URL is empty. Returns its number.
    func setTarget(ofBot id: String, to url: String, _ sandbox: SendbirdSandbox) throws -> Int64? {
        let targetID = sandbox.targetID(ofBot: id)
        guard !url.isEmpty else { return try deleteTarget(targetID)?.number }
        var settings = TargetSettings(origin: "")
        settings.shown.url = url
        if try target(targetID) != nil { return try setSettings(settings.encoded, ofTarget: targetID).number }
        return try insert(
            TargetDraft(
                id: targetID, kind: .callback, audience: .account(botAccount(id, in: sandbox).number),
                settings: settings.encoded)
        ).target.number
    }

    /// The account that stands for a bot's program. Nobody can sign in to it.
    func botAccount(_ id: String, in sandbox: SendbirdSandbox) throws -> AccountRecord {
        try openAccount(AccountKey(service: "sendbird.callbacks", channel: sandbox.channel, customer: "bot-\(id)"))
    }
}
