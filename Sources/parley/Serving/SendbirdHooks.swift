#if Sendbird
    import Gateway
    import HTTPRouting
    import MicroHTTP
    import SendbirdService

    /// Where Sendbird's webhooks come in: `POST /hooks/sendbird/{secret}`. It needs no token of the gateway, for the path is
    /// a secret of the file of `--sendbird`. Any other path is not found, and without such a secret all are.
    struct SendbirdHooks: RouteGroup {
        let service: SendbirdService?

        var routes: [HTTPRouting.Route<GatewayCore>] {
            let service = service
            return [
                HTTPRouting.Route<GatewayCore>(
                    .post, "/hooks/sendbird/{secret}", "takeSendbirdWebhook", access: .open, query: .any,
                    body: .foreign(limit: 1 << 20),
                    handler: .aside { call in
                        let request = call.request
                        switch service?.take(
                            webhook: request.body, secret: call.parameters["secret"],
                            signature: request.headers["x-sendbird-signature"])
                        {
                        case .taken: return HTTPResponse(status: 200)
                        case .unknown, nil: throw Problem(.notFound, "No application has this secret.")
                        case .forged:
                            throw Problem(
                                .unauthorized, "The signature is not the application's.",
                                headers: [("WWW-Authenticate", "Signature")])
                        }
                    }
                ).traced(.secret)
            ]
        }
    }
#endif
