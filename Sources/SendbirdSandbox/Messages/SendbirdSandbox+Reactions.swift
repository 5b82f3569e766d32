import ChatModel
import ChatStore
import SendbirdWire

/// What members think of a message. The desk and the REST API do not show it.
extension SendbirdSandbox {
    /// `POST .../messages/{id}/reactions`
    func react(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked = try request.read(React.self)
        return try await react(asked, isAdded: true, request)
    }

    /// `DELETE .../messages/{id}/reactions?user_id=&reaction=`
    func removeReaction(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        guard let user = request.query["user_id"] else { throw SendbirdError(.missing, "\"user_id\" is missing.") }
        guard let key = request.query["reaction"] else { throw SendbirdError(.missing, "\"reaction\" is missing.") }
        return try await react(React(user, key), isAdded: false, request)
    }

    /// `GET .../messages/{id}/reactions`
    func reactions(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (id, url) = (try messageID(request), request.parameters["channel"])
        let isListed = try request.flag("list_users") ?? true
        return try await read { transaction in
            let message = try transaction.knownMessage(id, in: transaction.knownChannel(url, in: self))
            let kept = try transaction.kept(MessageExtras.self, of: .message(message.number))?.reactions ?? []
            let users = try kept.map { reaction in
                (reaction.key, try isListed ? reaction.userIDs.map { try transaction.person($0, in: self) } : [])
            }
            return SendbirdReactionUsers(Dictionary(users) { first, _ in first })
        }
    }

    /// The same again changes nothing, and is told to nobody.
    private func react(
        _ asked: React, isAdded: Bool, _ request: SandboxRequest
    ) async throws(SendbirdError) -> SendbirdReactionChange {
        let (id, url) = (try messageID(request), request.parameters["channel"])
        try await checkMember(asked.userID, of: url, is: nil)
        return try await write { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let message = try transaction.knownMessage(id, in: record)
            let now = UnixMilliseconds(transaction.now)
            let hasChanged = try transaction.change(MessageExtras.self, of: .message(message.number)) { extras in
                let before = extras.reactions
                extras.setReaction(asked.key, of: asked.userID, isAdded, at: now)
                guard extras.reactions.count <= SendbirdBound.reactions,
                    extras.reactions.allSatisfy({ $0.userIDs.count <= SendbirdBound.users })
                else { throw SendbirdError(.tooManyItems, "The message has too many reactions.") }
                return extras.reactions != before
            }
            let change = SendbirdReactionChange(
                userID: asked.userID, key: asked.key, isAdded: isAdded, updatedAt: now, message: message.number)
            if hasChanged {
                let person = try transaction.person(asked.userID, in: self)
                try WebhookTeller(self, in: transaction)?.tell(.reaction(change, by: person), of: record)
            }
            return change
        }
    }
}

extension MessageExtras {
    fileprivate mutating func setReaction(_ key: String, of user: String, _ isAdded: Bool, at now: UnixMilliseconds) {
        let index = reactions.firstIndex { $0.key.hasSameBytes(as: key) }
        if let index, reactions[index].userIDs.contains(user) != isAdded {
            reactions[index].userIDs.removeAll { $0 == user }
            if isAdded { reactions[index].userIDs.append(user) }
            reactions[index].updatedAt = now
            if reactions[index].userIDs.isEmpty { reactions.remove(at: index) }
        } else if index == nil, isAdded {
            reactions.append(SendbirdReaction(key: key, userIDs: [user], updatedAt: now))
        }
    }
}
