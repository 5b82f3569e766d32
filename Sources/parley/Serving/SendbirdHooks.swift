#if Sendbird
    import Gateway
    import HTTPRouting
    import MicroHTTP
    import SendbirdService

    /// Where Sendbird's webhooks come in: `POST /hooks/sendbird/{secret}`. It needs no token of the gateway, for the path is
    /// a secret of the file of `--sendbird`. Without such a secret there is no such path.
    struct SendbirdHooks: RouteGroup {
        let service: SendbirdService

        var routes: [HTTPRouting.Route<GatewayCore>] {
            let service = service
            return [
                HTTPRouting.Route<GatewayCore>(
                    .post, "/hooks/sendbird/{secret}", "takeSendbirdWebhook", access: .open, query: .any,
                    body: .foreign(limit: 1 << 20),
                    handler: .aside { call in
                        let request = call.request
                        let status =
                            switch service.take(
                                webhook: request.body, secret: call.parameters["secret"],
                                signature: request.headers["x-sendbird-signature"])
                            {
                            case .taken: 200
                            case .unknown: 404
                            case .forged: 401
                            }
                        return HTTPResponse(status: status)
                    }
                ).traced(.secret)
            ]
        }
    }
#endif
