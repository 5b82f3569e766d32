import Chat
import ChatModel
import ChatStore
import HTTPClientPort

/// Fetches the files of messages. Strangers choose their addresses: the application's token goes where files are only,
/// and never along a redirect. With it, any other path of the API would answer what the customer may not read.
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
        let reach = reach(of: target)
        guard reach != .nowhere else {
            throw ChatError(.serverError, "The file's address is one of the platform's API, and no file.")
        }
        let headers = reach == .stranger ? [] : [HTTPCall.Header("Api-Token", token)]
        let call = HTTPCall(to: target, headers: headers, timeout: SteadyDownload.filePatience)
        let receiver = FileReceiver {
            try file.write($0)
        } synchronize: {
            try file.synchronize()
        }
        do {
            let port = reach == .own ? port : foreignPort
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

    /// Where an address leads.
    enum Reach: Sendable {
        /// To a file of the configured address: with the token, and by the port that may reach this machine.
        case own
        /// To a host of the platform that has nothing but files: with the token.
        case platform
        /// Elsewhere: without the token, and to no private network.
        case stranger
        /// To another path of the configured address. It is not fetched.
        case nowhere
    }

    func reach(of target: CallTarget) -> Reach {
        if target.origin == origin { return target.url.isOfFiles ? .own : .nowhere }
        return origin.isOfPlatform && target.origin.isOfPlatformFiles ? .platform : .stranger
    }
}

extension String {
    /// Whether an origin is one of the platform's hosts, over TLS.
    fileprivate var isOfPlatform: Bool { hasPrefix("https://") && hasSuffix(".sendbird.com:443") }

    /// Whether it is one of those that have files: `file-ap-1.sendbird.com`. The API's are others: `api-ID.sendbird.com`.
    fileprivate var isOfPlatformFiles: Bool {
        let (scheme, domain) = ("https://file-", ".sendbird.com:443")
        return hasPrefix(scheme) && hasSuffix(domain) && utf8.count > scheme.utf8.count + domain.utf8.count
            && !dropFirst(scheme.count).dropLast(domain.count).contains(".")
    }

    /// Whether a URL names a file of the API: a path below `/v3/files/` that is read alike by everybody.
    fileprivate var isOfFiles: Bool {
        let isPlain = utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, let start = firstRange(of: "://")?.upperBound else { return false }
        let rest = self[start...].prefix { $0 != "?" && $0 != "#" }
        let segments = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.starts(with: ["v3", "files"]), segments.count > 2, !rest.contains("@") else { return false }
        return segments.dropFirst(2).allSatisfy { segment in
            // A server may decode what is encoded, once or twice.
            let name = segment.lowercased().replacing("%25", with: "%").replacing("%2e", with: ".")
            return !["", ".", ".."].contains(name) && !name.contains("%2f") && !name.contains("%5c")
        }
    }
}
