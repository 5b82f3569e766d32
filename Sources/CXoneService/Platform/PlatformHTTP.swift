import ChatModel
import CXoneWire

/// The platform's endpoints of HTTP.
struct PlatformHTTP: Sendable {
    let port: any HTTPPort
    let clock: any Clock<Duration>

    static let sdkPlatform = "ios"
    static let sdkVersion = "3.3.1"
    private static let attempts = 4

    private var headers: [HTTPCall.Header] {
        [HTTPCall.Header("x-sdk-platform", Self.sdkPlatform), HTTPCall.Header("x-sdk-version", Self.sdkVersion)]
    }

    private func call(_ method: String, _ url: String, _ body: [UInt8]? = nil) -> HTTPCall {
        let type = body.map { _ in [HTTPCall.Header("Content-Type", "application/json")] } ?? []
        return HTTPCall(method, url, headers: headers + type, body: body)
    }

    /// Asks up to four times when no answer comes, after 1, 2 and 4 s. The platform's refusal of this version is final.
    private func ask(_ call: HTTPCall, limit: Int = WireLimit.frame) async throws(ChatError) -> HTTPAnswer {
        var attempt = 1
        while true {
            do {
                let answer = try await port.send(call, limit: limit)
                try Self.checkVersion(answer)
                return answer
            } catch let error as ChatError {
                throw error
            } catch {
                guard attempt < Self.attempts else {
                    throw ChatError(.serverError, "The platform cannot be reached over HTTP.")
                }
            }
            do {
                try await clock.sleep(for: .seconds(1 << (attempt - 1)))
            } catch {
                throw ChatError(.notConnected, "Nobody waits any more.")
            }
            attempt += 1
        }
    }

    private static func checkVersion(_ answer: HTTPAnswer) throws {
        guard let failure = try? ServiceFailure(json: answer.body), failure.code == .sdkVersionNotSupported else { return }
        throw ChatError(.sdkVersionNotSupported, "The platform does not support this version of its protocol any more.")
    }

    /// Throws `channelConfigFailure`, `sdkVersionNotSupported`, `serverError`.
    func configuration(_ address: PlatformAddress) async throws(ChatError) -> WireChannelConfiguration {
        let answer = try await ask(call("GET", address.channelURL), limit: WireLimit.largeEvent)
        do {
            return try WireChannelConfiguration(json: answer.body)
        } catch {
            throw ChatError(.channelConfigFailure, "The platform's answer \(answer.status) is no channel configuration: \(error)")
        }
    }

    /// Throws `channelConfigFailure`, `sdkVersionNotSupported`, `serverError`.
    func isOnline(_ address: PlatformAddress) async throws(ChatError) -> Bool {
        let answer = try await ask(call("GET", address.channelURL + "/availability"))
        do {
            return try WireAvailability(json: answer.body).isOnline
        } catch {
            throw ChatError(.channelConfigFailure, "The platform's answer \(answer.status) tells no availability: \(error)")
        }
    }

    /// What the platform answers is not looked at.
    func put(_ visitor: WireVisitor, _ id: String, _ address: PlatformAddress) async throws(ChatError) {
        _ = try await ask(call("PUT", address.visitorURL(id), visitor.encoded()))
    }

    /// What the platform answers is not looked at; nobody waits for it to come back. Throws `serverError`.
    func tell(_ event: AnalyticsEvent, _ visitor: String, _ address: PlatformAddress) async throws(ChatError) {
        do {
            let told = call("POST", address.visitorURL(visitor) + "/events", event.encoded())
            _ = try await port.send(told, limit: WireLimit.frame)
        } catch {
            throw ChatError(.serverError, "The platform's analytics cannot be reached.")
        }
    }

    /// Throws `transactionTokenRequestFailed`.
    func token(_ request: TokenRequest, for visitor: String, _ address: PlatformAddress) async throws(ChatError) -> TokenAnswer {
        guard let url = address.tokenURL(visitor) else {
            throw ChatError(.transactionTokenRequestFailed, "The channel wants a token, and its address names no token service.")
        }
        let answer = try await ask(call("POST", url, request.encoded()))
        guard answer.isSuccess, let token = try? TokenAnswer(json: answer.body) else {
            throw ChatError(.transactionTokenRequestFailed, "The platform's token service answered \(answer.status).")
        }
        return token
    }

    /// Stores a file there, and returns its URL. Throws `invalidFileSize`, `invalidFileType`, `serverError`.
    func upload(_ file: AttachmentUpload, channel: Channel, _ address: PlatformAddress) async throws(ChatError) -> String {
        let answer: HTTPAnswer
        do {
            answer = try await port.send(call("POST", address.channelURL + "/attachment", file.encoded()), limit: WireLimit.frame)
        } catch {
            throw ChatError(.serverError, "The file could not be sent to the platform.")
        }
        guard answer.isSuccess, let result = try? AttachmentUploadAnswer(json: answer.body) else {
            throw ChatError(.serverError, "The platform answered \(answer.status) to a file.")
        }
        switch result {
        case .stored(let url): return url
        case .refused(let rules):
            // The mobile SDK's way to tell which of both it was.
            let isSize = Int64(rules.allowedFileSize) << 20 < channel.fileRestrictions.maximumSize
                || Int64(file.content.count) > Int64(rules.allowedFileSize) << 20
            throw isSize
                ? ChatError(.invalidFileSize, "The platform takes files of at most \(rules.allowedFileSize) MiB.")
                : ChatError(.invalidFileType, "The platform does not take files of this type.")
        }
    }

    /// The event that was too large for a frame; the URL is signed. Throws `serverError`.
    func largeEvent(at url: String) async throws(ChatError) -> ServerFrame {
        let body = try await file(at: url, limit: WireLimit.largeEvent, within: Requests.patience)
        do {
            return try ServerFrame(json: body, limit: WireLimit.largeEvent)
        } catch {
            throw ChatError(.serverError, "A large event of the platform cannot be read: \(error)")
        }
    }

    /// Throws `serverError`.
    ///
    /// - Parameter patience: nil: as long as any request may take.
    func file(at url: String, limit: Int, within patience: Duration? = nil) async throws(ChatError) -> [UInt8] {
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw ChatError(.serverError, "The platform names a file by a URL that is none of HTTP.")
        }
        let answer = await answer(HTTPCall("GET", url), limit, within: patience)
        guard let answer, answer.isSuccess else {
            let what = answer.map { "\($0.status)" } ?? "no answer"
            throw ChatError(.serverError, "The platform's file could not be fetched: \(what).")
        }
        return answer.body
    }

    /// Nil: none came.
    private func answer(_ call: HTTPCall, _ limit: Int, within patience: Duration?) async -> HTTPAnswer? {
        await withTaskGroup(of: HTTPAnswer?.self) { group in
            group.addTask { [port] in try? await port.send(call, limit: limit) }
            if let patience {
                group.addTask { [clock] in
                    try? await clock.sleep(for: patience)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
