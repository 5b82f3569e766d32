import Chat
import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// How the sandbox reaches the store and the embedded service, whose errors become the platform's.
extension SendbirdSandbox {
    func read<T: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> T
    ) async throws(SendbirdError) -> T {
        try await act { () throws(ChatError) in
            try await store.read { transaction in try Refusable { try body(transaction) } }
        }.get()
    }

    /// - Parameter body: may refuse as the platform does before it writes anything, and not later.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(SendbirdError) -> T {
        try await act { () throws(ChatError) in
            try await store.write { transaction in try Refusable { try body(transaction) } }
        }.get()
    }

    /// Does something by the embedded service.
    ///
    /// - Parameter context: what is kept, or told, with what it does.
    func act<T: Sendable>(
        with context: DeedContext = DeedContext(), _ work: () async throws(ChatError) -> T
    ) async throws(SendbirdError) -> T {
        let result: Result<T, SendbirdError> = await DeedContext.$current.withValue(context) {
            do throws(ChatError) {
                return .success(try await work())
            } catch {
                return .failure(SendbirdError(error))
            }
        }
        return try result.get()
    }

    /// Does something as a user who is a member.
    func act<T: Sendable>(
        as user: String, with context: DeedContext = DeedContext(),
        _ work: (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(SendbirdError) -> T {
        let account = try await read { transaction in
            let account = try transaction.user(user, in: self)
            guard try !transaction.extras(of: account).isInactive else {
                throw SendbirdError(.userDeactivated, "The user is deactivated.")
            }
            return account
        }
        return try await act(with: context) { () throws(ChatError) in
            let connection = try await service.connect(account, channel: service.channel(channel)) {}
            do throws(ChatError) {
                let done = try await work(connection)
                await connection.close()
                return done
            } catch {
                await connection.close()
                throw error
            }
        }
    }
}

/// What a unit has found, or why the platform refuses. All other errors go on, so that nothing of the unit stays.
private struct Refusable<T: Sendable>: Sendable {
    private let result: Result<T, SendbirdError>

    init(_ body: () throws -> T) throws {
        do {
            result = .success(try body())
        } catch let error as SendbirdError {
            result = .failure(error)
        }
    }

    func get() throws(SendbirdError) -> T { try result.get() }
}

extension SendbirdError {
    /// What the platform would say where the embedded service refuses.
    init(_ error: ChatError) {
        let code: SendbirdErrorCode =
            switch error.code {
            case .unknownThread, .unknownMessage, .unknownParent, .unknownAttachment: .notFound
            case .unknownCustomer: .userNotFound
            case .notJoined, .notAuthor, .illegalThreadState, .parentHasReplies: .notAuthorized
            case .threadIdConflict, .messageIdConflict: .existsAlready
            case .textTooLong: .tooLong
            case .storageFailed, .storageUnavailable, .storageFull, .shuttingDown: .internalError
            default: .invalidValue
            }
        self.init(code, error.detail)
    }
}
