import Chat
import ChatModel
import ChatStore
import HTTPClientPort

/// Fetches the files of messages. Strangers choose their addresses: the application's token goes to the platform's own
/// hosts only, and never along a redirect.
struct PlatformFiles: Sendable {
    private let token: String
    /// Scheme, host and port of the API.
    private let origin: String
    /// Leads to the address of the configuration.
    private let port: any HTTPPort
    /// Leads to addresses that messages name. It refuses those of private networks.
    private let foreignPort: any HTTPPort
    private let clock: any Clock<Duration>

    init(
        _ application: SendbirdConfiguration.Application, port: any HTTPPort, foreignPort: any HTTPPort,
        clock: any Clock<Duration>
    ) {
        (token, self.port, self.foreignPort, self.clock) = (application.token, port, foreignPort, clock)
        origin = (try? CallTarget("GET", application.base))?.origin ?? ""
    }

    /// Writes a file to the disk as it comes. Throws `serverError`, `eventTimeout`, `storageFailed`, `storageFull`.
    func fetch(_ url: String, into file: StagedFile, limit: Int) async throws(ChatError) -> FetchedFile {
        guard let target = try? CallTarget("GET", url) else {
            throw ChatError(.serverError, "The platform's address of a file cannot be used.")
        }
        let headers = takesToken(target) ? [HTTPCall.Header("Api-Token", token)] : []
        let call = HTTPCall(to: target, headers: headers, timeout: SteadyDownload.filePatience)
        let receiver = FileReceiver {
            try file.write($0)
        } synchronize: {
            try file.synchronize()
        }
        do {
            let port = target.origin == origin ? port : foreignPort
            try await port.download(call, limit: limit, on: clock) { answer in
                guard answer.isSuccess else {
                    throw ChatError(.serverError, "The platform's file could not be fetched: \(answer.status).")
                }
            } take: { piece in
                try await receiver.take(piece)
            }
            let (size, digest) = try await receiver.finish()
            return FetchedFile(size: size, digest: digest)
        } catch let error as ChatError {
            throw error
        } catch HTTPCallError.timeout {
            throw ChatError(.eventTimeout, "The platform stopped in the middle of a file, or sends it too slowly.")
        } catch let refusal as AddressRefusal {
            throw ChatError(.serverError, refusal.detail)
        } catch {
            throw ChatError(.serverError, "The platform's file could not be fetched.")
        }
    }

    /// The API's own address; or, where that is the platform's, another of its hosts.
    func takesToken(_ target: CallTarget) -> Bool {
        if target.origin == origin { return true }
        return origin.isOfPlatform && target.origin.isOfPlatform
    }
}

extension String {
    /// Whether an origin is one of the platform's hosts, over TLS.
    fileprivate var isOfPlatform: Bool { hasPrefix("https://") && hasSuffix(".sendbird.com:443") }
}
