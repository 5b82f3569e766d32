import Chat
import ChatModel

extension ChatClient {
    /// ``ChatClient/perform(needing:in:_:)`` with a closure that does not say which errors it throws. It may throw
    /// `ChatError` only.
    @discardableResult
    public func ask<T: Sendable>(
        _ request: @escaping @Sendable (any ServiceConnection) async throws -> T
    ) async throws -> T {
        try await perform { (connection) throws(ChatError) in
            do {
                return try await request(connection)
            } catch {
                throw error as? ChatError ?? ChatError(.serverError, "\(error)")
            }
        }
    }
}
