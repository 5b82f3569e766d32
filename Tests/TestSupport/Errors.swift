import ChatModel

/// The code with which something is refused; nil when it goes through.
public func refusal(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> some Any
) async -> ChatError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? ChatError)?.code
    }
}
