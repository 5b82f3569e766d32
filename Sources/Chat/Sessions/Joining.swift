import ChatModel
import ChatStore
import Formats

/// What a joining has done in its unit, and what is left to do after the commit.
public struct Joining: Sendable {
    /// The ids of the threads that came along.
    public let threads: [String]
    /// The sessions that have ended with it.
    public internal(set) var ended: [String] = []
    let finish: @Sendable () -> Void

    /// - Parameter finish: called once after the commit.
    public init(threads: [String], finish: @escaping @Sendable () -> Void) {
        (self.threads, self.finish) = (threads, finish)
    }
}

/// An anonymous session whose customer has said who they are.
public struct FormerSession: Sendable {
    public var id: String
    /// Whether there is nothing to begin without it; else a session that cannot be joined is left alone.
    public var isRequired: Bool

    public init(id: String, isRequired: Bool) { (self.id, self.isRequired) = (id, isRequired) }
}

extension WriteTransaction {
    /// Joins what an anonymous visitor has written to an account of the same channel, for which somebody vouches, and
    /// deletes the sessions by which the visitor was reached.
    ///
    /// Returns nil when there is nothing to join: the session has ended, it is not a session of a visitor of this channel,
    /// or its customer is known already. If the session is required, it throws instead: `unknownSession` when the session
    /// has ended, otherwise `otherIdentity`.
    func join(
        _ session: FormerSession, to account: inout AccountRecord, of service: any ChatService
    ) throws -> Joining? {
        guard let (record, _) = try self.session(session.id) else {
            if session.isRequired { throw ChatError(.unknownSession, "There is no session \(session.id).") }
            return nil
        }
        let former = try self.account(record.account)
        guard record.kind == .visitor, record.verifiedUntil == nil, !former.customer.isVerified, !former.isErased,
            former.joinedTo == nil, former.number != account.number, former.key.service == account.key.service,
            former.key.channel == account.key.channel
        else {
            if session.isRequired {
                throw ChatError(.otherIdentity, "The session belongs to another customer.")
            }
            return nil
        }
        account.takeAlong(former)
        var joining = try service.join(former, to: &account, in: self)
        joining.ended = try sessions(reaching: former.number, from: session.id)
        for id in joining.ended { try deleteSession(id) }
        return joining
    }

    /// The sessions of an account: this one, those that are connected, and those that links of either have made.
    private func sessions(reaching account: Int64, from session: String) throws -> [String] {
        var found = [session]
        for id in try connectedSessions(of: account) where id != session { found.append(id) }
        var next = 0
        while next < found.count {
            for link in try links(of: found[next]) {
                for id in try sessions(ofLink: link.id) where !found.contains(id) { found.append(id) }
            }
            next += 1
        }
        return found
    }
}

extension AccountRecord {
    /// Takes what an anonymous account knows of its customer, and this one does not.
    fileprivate mutating func takeAlong(_ former: AccountRecord) {
        if customer.fullName == nil {
            (customer.firstName, customer.lastName) = (former.customer.firstName, former.customer.lastName)
        }
        customer.imageURL = customer.imageURL ?? former.customer.imageURL
        if let theirs = former.consent, consent.map({ $0.at < theirs.at }) != false { consent = theirs }
        // Too many together: then those of the account are enough.
        if let fields = try? CustomFieldRules.merge(customFields, into: former.customFields) { customFields = fields }
    }
}
