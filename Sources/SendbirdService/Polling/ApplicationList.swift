import Chat
import ChatModel
import SendbirdWire
import Synchronization

/// The list of an application's channels, the latest first. That it can be read is all that tells whether the sessions
/// of the application are connected: there is no socket.
final class ApplicationList: Sendable {
    private let client: SendbirdClient
    private let application: String
    private let customTypes: [String]

    private struct State {
        /// How often it could not be read, one time after the other.
        var failures = 0
        /// How often the platform has refused it since it was read last.
        var refusals = 0
    }
    private let state = Mutex(State())
    private let sizes = AnswerSizes(most: 20, dropsMembers: true)

    /// So many failures one after the other are a loss.
    private static let patience = 3

    init(_ application: SendbirdConfiguration.Application, client: SendbirdClient) {
        self.client = client
        self.application = application.id
        customTypes = application.channels.map(\.customType)
    }

    var isRefused: Bool { state.withLock { $0.refusals >= Self.patience } }

    /// - Parameter onLoss: called where the list could not be read some times: nobody is told any news.
    func page(
        _ token: String?, onLoss: () -> Void
    ) async throws(ChatError) -> SendbirdPage<SendbirdChannel> {
        do throws(SendbirdFailure) {
            let page: SendbirdPage<SendbirdChannel> = try await sizes.ask { (size) throws(SendbirdFailure) in
                try await client.ask(
                    .latestChannels(customTypes: customTypes, token: token, size: size), .applicationPoll)
            }
            state.withLock { $0 = State() }
            return page
        } catch {
            if isLoss(error) { onLoss() }
            guard error.code == nil else {
                throw ChatError(.serverError, "The platform refuses the list of channels.")
            }
            throw ChatError(error, about: .user)
        }
    }

    private func isLoss(_ failure: SendbirdFailure) -> Bool {
        switch failure {
        case .notAsked, .tooLarge: return false
        case .open(let error): guard error.code != .notConnected else { return false }
        case .refused(let error):
            guard error.code != .pageTokenExpired else { return false }
            let isFirst = state.withLock { state in
                state.refusals += 1
                return state.refusals == 1
            }
            // The client has told of what ends the whole application.
            if isFirst, !failure.endsApplication { note(error.code) }
        }
        return state.withLock { state in
            state.failures += 1
            guard state.failures >= Self.patience else { return false }
            state.failures = 0
            return true
        }
    }

    private func note(_ code: SendbirdErrorCode) {
        client.notice(
            """
            Sendbird refuses the list of channels of the application \(application) (\(code.rawValue)): its sessions would \
            hear no news, and are not connected.
            """)
    }
}
