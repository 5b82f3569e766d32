#if Outbound
    import Gateway
    import MicroHTTP

    /// An upload with the exchange that passes it on.
    final class RelayedUpload: BodySink {
        private let upload: ForwardedUpload
        private let exchange: ForwardedExchange?

        /// - Parameter exchange: nil: there was no active gateway.
        init(_ upload: ForwardedUpload, _ exchange: ForwardedExchange?) {
            (self.upload, self.exchange) = (upload, exchange)
            if exchange == nil { upload.drop() }
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand { upload.receive(bytes) }

        func abandoned() {
            upload.abandoned()
            exchange?.cancel()
        }

        /// The answer to the request, whose body has come whole.
        func response() async throws(ForwardingFailure) -> HTTPResponse {
            upload.complete()
            guard let exchange else { throw .untaken }
            return try await exchange.response()
        }
    }
#endif
