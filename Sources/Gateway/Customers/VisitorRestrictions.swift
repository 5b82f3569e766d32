import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// What a visitor's own token may do less than others. A key, a person and the gateway's token are not bounded, whose
/// session it may be. Neither is a session of a link: somebody with a right to it has chosen its customer.
extension Call {
    /// The session that asks with its own token, if a visitor has begun it; nil for all other callers.
    var visitor: ChatClient? { core.visitor(identity) }

    /// What the visitor may do; nil for all other callers.
    var visitorLimits: VisitorLimits? { visitor.map { core.visitorSettings.limits(of: $0.channel.id) } }

    /// Throws `textTooLong` for more than a visitor may write at once.
    func checkLength(of text: String?) throws(ChatError) {
        guard let text, let most = visitorLimits?[.messageBytes], text.utf8.count > most else { return }
        throw ChatError(.textTooLong, "A visitor's text has at most \(most) bytes of UTF-8.", pointer: "/text")
    }

    /// Throws `notAllowed` where a visitor wants an e-mail sent to an address that is not known to be their own.
    func checkRecipient(_ address: String) async throws {
        guard let visitor else { return }
        let customer = try await visitor.customer().customer
        guard customer.isVerified, let own = customer.email, own.lowercased().hasSameBytes(as: address.lowercased())
        else { throw Problem(.notAllowed, "A visitor gets e-mails only at the address that a JWT has named.") }
    }

    /// The same answer, whose stream has one of the visitor's places. Throws `tooManyStreams`.
    func placed(_ answer: HTTPResponse) throws(Problem) -> HTTPResponse {
        guard let visitor, let limits = visitorLimits, case .events(let source) = answer.body else { return answer }
        var answer = answer
        let place = try core.visitorBounds.openStream(
            of: visitor.id, from: core.visitorAddress(of: request), limits)
        answer.body = .events(PlacedStream(source, at: place))
        return answer
    }
}

extension GatewayCore {
    /// The session of this identity, if a visitor has begun it.
    func visitor(_ identity: Identity) -> ChatClient? {
        guard case .session(let id) = identity, let client = sessions.client(id), client.term.kind == .visitor else {
            return nil
        }
        return client
    }

    /// Counts what a session's token is about to write. Throws `tooManyWrites`.
    func countWriting(of session: String, _ head: HTTPRequest, _ writing: Writing) throws(Problem) {
        let visitor = visitor(.session(session))
        if let visitor {
            let limits = visitorSettings.limits(of: visitor.channel.id)
            switch writing {
            case .messages:
                try visitorBounds.takeMessage(of: session, from: visitorAddress(of: head), limits)
            case .uploads:
                let largest = min(visitor.channel.fileRestrictions.maximumSize, FileRestrictions.embedded.maximumSize)
                try visitorBounds.takeUpload(
                    of: session, bytes: head.headers["Content-Length"].flatMap { Int64($0) }, largest: largest, limits)
            case .threads, .changes: break
            }
        }
        try self.writing.countWrite(writing, session: session, isVisitor: visitor != nil)
    }
}
