import ChatModel
import CXoneWire

extension ChatError {
    /// Maps the platform's `errorCode` to a code of the API. Unknown codes become `serverError`. The detail has
    /// the code only: the platform's own text may contain anything.
    init(_ error: OperationError) {
        let code: Code =
            switch error.code {
            case .customerAuthorizationFailed, .consumerAuthorizationFailed, .customerReconnectionFailed,
                .consumerReconnectionFailed:
                .customerAssociationFailure
            case .tokenRefreshingFailed: .tokenRefreshFailed
            case .recoveringThreadFailed, .recoveringLivechatFailed: .recoveringThreadFailed
            case .sendingTranscriptFailed: .sendTranscriptFailed
            case .inconsistentData: .invalidData
            case .sdkVersionNotSupported: .sdkVersionNotSupported
            default: .serverError
            }
        // The platform's own sentence may hold anything; its name for the failure is enough.
        let name = error.code.rawValue.filter { $0.isASCII && $0.isLetter }.prefix(64)
        self.init(code, "The platform refused: \(name.isEmpty ? "an unnamed error" : String(name)).")
    }
}

extension ErrorCode {
    /// Whether the sessions are told of the error even if a request waits for it (the SDK's `onError`,
    /// `onTokenRefreshFailed`).
    var concernsSession: Bool {
        [.customerAuthorizationFailed, .consumerAuthorizationFailed, .inconsistentData, .tokenRefreshingFailed]
            .contains(self)
    }

    var isReconnectionFailure: Bool { self == .customerReconnectionFailed || self == .consumerReconnectionFailed }
}
