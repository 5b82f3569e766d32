import ChatModel
import SendbirdWire

extension ConnectedUser {
    /// A channel as it is for the account; nil if the platform says that the account does not have it any more. Where
    /// an answer does not tell, it has.
    func channel(_ thread: String) async throws(ChatError) -> SendbirdChannel? {
        var place = 0
        return try await channel(thread, place: &place)
    }

    /// - Parameter place: of the question (``marks``).
    func channel(_ thread: String, place: inout Int) async throws(ChatError) -> SendbirdChannel? {
        var asked = 0
        defer { place = asked }
        do throws(SendbirdFailure) {
            let channel = try await sizes.channels.ask(of: thread) { size throws(SendbirdFailure) in
                try await client.ask(
                    .channel(thread, for: user, hasMembers: size.hasMembers), .focus, as: SendbirdChannel.self
                ) {
                    asked = marks.ask()
                    return true
                }
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
