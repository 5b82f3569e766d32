import ChatModel
import SendbirdWire

extension ConnectedUser {
    /// A channel as it is for the account; nil if the platform says that the account does not have it any more. Where
    /// an answer does not tell, it has.
    func channel(_ thread: String) async throws(ChatError) -> SendbirdChannel? {
        do throws(SendbirdFailure) {
            let channel = try await sizes.channels.ask(of: thread) { asked throws(SendbirdFailure) in
                try await client.ask(
                    .channel(thread, for: user, hasMembers: asked.hasMembers), .focus, as: SendbirdChannel.self)
            }
            guard channel.url == thread, channel.isThread(of: self), channel.personal?.state != SendbirdMemberState.none
            else { return nil }
            if channel.personal == nil, let members = channel.members, !members.contains(where: { $0.id == user }) {
                return nil
            }
            return channel
        } catch {
            if error.isNotFound { return nil }
            throw ChatError(error, about: .thread(thread))
        }
    }
}
