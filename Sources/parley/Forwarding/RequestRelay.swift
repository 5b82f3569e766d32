#if Outbound
    import Gateway
    import HTTPClientPort
    import MicroHTTP
    import Synchronization

    /// Passes a standby's requests on to the active gateway, as long as that is the same one. Any thread may use it.
    final class RequestRelay: RequestForwarder {
        private struct State {
            /// Where the active gateway is reached: `http://10.0.0.1:8787`, without a path.
            var target: String?
            var exchanges: [Int: ForwardedExchange] = [:]
            var last = 0
        }

        private let port = RelayPort()
        private let state = Mutex(State())
        /// How long a probe waits for the active gateway.
        private static let patienceOfProbes = Duration.seconds(2)

        /// From now on requests go there; nil for nowhere. What is under way to another gateway ends.
        func turn(to target: String?) {
            let ended = state.withLock { state in
                guard state.target != target else { return [ForwardedExchange]() }
                state.target = target
                return Array(state.exchanges.values)
            }
            for exchange in ended { exchange.cancel() }
        }

        var hasTarget: Bool { state.withLock { $0.target != nil } }

        /// How many exchanges are under way.
        var count: Int { state.withLock { $0.exchanges.count } }

        func sink(for head: HTTPRequest, adding fields: [(String, String)], flow: BodyFlow) -> any BodySink {
            let upload = ForwardedUpload(flow)
            let length = head.headers["Content-Length"].flatMap { Int64($0) }
            let exchange = begin(head, adding: fields, .pieces(length: length, next: upload.next), upload)
            return RelayedUpload(upload, exchange)
        }

        func answer(
            to request: HTTPRequest, adding fields: [(String, String)]
        ) async throws(ForwardingFailure) -> HTTPResponse {
            if let upload = request.sink as? RelayedUpload { return try await upload.response() }
            guard let exchange = begin(request, adding: fields, request.body.isEmpty ? .none : .bytes(request.body))
            else {
                throw .untaken
            }
            guard request.path == "/readyz" else { return try await exchange.response() }
            let alarm = Task {
                try await Task.sleep(for: Self.patienceOfProbes)
                exchange.cancel()
            }
            defer { alarm.cancel() }
            return try await exchange.response()
        }

        /// Nil when there is no active gateway.
        private func begin(
            _ request: HTTPRequest, adding fields: [(String, String)], _ body: RelayPort.Body,
            _ upload: ForwardedUpload? = nil
        ) -> ForwardedExchange? {
            let begun = state.withLock { state -> (ForwardedExchange, String)? in
                guard let target = state.target else { return nil }
                state.last += 1
                let number = state.last
                let exchange = ForwardedExchange(request.method, upload) { [weak self] in
                    self?.state.withLock { $0.exchanges[number] = nil }
                }
                state.exchanges[number] = exchange
                return (exchange, target)
            }
            assert(request.target.hasPrefix("/"), "The gate lets nothing else pass but *, which is not passed on.")
            guard let (exchange, target) = begun else { return nil }
            exchange.start(
                RelayPort.Request(
                    request.method, target + request.target, headers: ForwardedFields.of(request) + fields, body: body),
                by: port)
            return exchange
        }
    }
#else
    import Gateway
    import MicroHTTP

    /// What a build without the trait `Outbound` has instead: ``AdvertisedAddress`` refuses the setting before.
    final class RequestRelay: RequestForwarder {
        var hasTarget: Bool { false }
        func turn(to target: String?) {}
        func sink(for head: HTTPRequest, adding fields: [(String, String)], flow: BodyFlow) -> any BodySink {
            ForwardedUpload(flow)
        }
        func answer(
            to request: HTTPRequest, adding fields: [(String, String)]
        ) async throws(ForwardingFailure) -> HTTPResponse { throw .untaken }
    }
#endif
