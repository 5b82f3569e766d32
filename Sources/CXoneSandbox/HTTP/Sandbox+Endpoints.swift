import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import HTTPRouting
import MicroHTTP
import SandboxKit

/// The platform's HTTP endpoints. They answer as the platform does, errors too:
/// `{"error": {"errorCode", "errorMessage"}}`.
extension Sandbox {
    /// `GET /chat/1.0/brand/{brand}/channel/{channel}`. The answer depends on the family of SDKs that
    /// `x-sdk-platform` names. An unknown channel is an error in the platform's shape.
    public func configuration(of channel: String, brand: String, to request: HTTPRequest) async -> HTTPResponse {
        await answer { () async throws(ChatError) in
            let face = try await face(channel, brand: Int(brand) ?? 0)
            let family = ClientFamily(request.headers["x-sdk-platform"])
            var configuration = WireChannelConfiguration(
                try await service.channel(face.channel), as: face, for: family, ids)
            configuration.widget = WidgetInfo()
            let offer = try await devices?.offer(in: face.channel) ?? PushOffer()
            configuration.settings.pushNotifications = WirePushNotifications(offer, channel: face)
            return .json(configuration.encoded())
        }
    }

    /// `GET .../channel/{channel}/availability`
    public func availability(of channel: String, brand: String) async -> HTTPResponse {
        await answer { () async throws(ChatError) in
            let face = try await face(channel, brand: Int(brand) ?? 0)
            return .json(WireAvailability(isOnline: try await service.channel(face.channel).isOnline).encoded())
        }
    }

    /// `GET .../channel/{channel}/persistent-menu-items`: the menu that the desk has given to the channel.
    public func menu(of channel: String, brand: String) async -> HTTPResponse {
        await answer { () async throws(ChatError) in
            let face = try await face(channel, brand: Int(brand) ?? 0)
            let menu = try await service.channel(face.channel).menu
            return .json(
                PersistentMenu(items: menu.map { .init(id: $0.id, label: $0.label, postback: $0.postback) }).encoded())
        }
    }

    /// `PUT /web-analytics/1.0/tenants/{brand}/visitors/{visitor}`. Only the device's token is used; everything
    /// else is accepted and ignored.
    public func visitor(_ id: String, brand: String, _ body: [UInt8]) async -> HTTPResponse {
        await analytics(brand) { () async throws in
            guard let news = DeviceNews(try WireVisitor(json: body).fingerprint) else { return }
            try await apply(news, of: id)
        }
    }

    /// `POST .../visitors/{visitor}/events`: taken, and of no effect.
    public func visitorEvent(_ body: [UInt8], brand: String) async -> HTTPResponse {
        await analytics(brand) { () async throws in
            let event = try AnalyticsEvent(json: body)
            log("analytics event", ["type": "\(event.action.type.prefix(64))"])
        }
    }

    private func analytics(_ brand: String, _ take: () async throws -> Void) async -> HTTPResponse {
        guard Int(brand) == ids.brand else {
            return .failure(404, "InconsistentData", "The sandbox has no such brand.")
        }
        do {
            try await take()
            return .json(Array("{}".utf8))
        } catch let error as WireError {
            return .failure(400, "InconsistentData", "The body is not what this path takes: \(error)")
        } catch {
            return .failure(503, "InconsistentData", "The device could not be stored.")
        }
    }

    /// `POST /oauth/token?brandId=&channelId=&visitorId=`: grants a transaction token, and on channels with OAuth
    /// a third party's tokens too. Any authorization code is accepted.
    public func token(_ request: HTTPRequest) async -> HTTPResponse {
        await answer { () async throws(ChatError) in
            let query = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
            let face = try await face(query["channelId"] ?? "", brand: Int(query["brandId"] ?? "") ?? 0)
            guard var asked = try? TokenRequest(json: request.body.isEmpty ? Array("{}".utf8) : request.body) else {
                return .failure(400, "InconsistentData", "The body is not a request for a token.")
            }
            if case .securedCookie(nil) = asked { asked = .securedCookie(identityToken: query["identityToken"]) }
            return try await grant(asked, on: face)
        }
    }

    /// Answers a request for tokens. A channel without OAuth takes an anonymous request or one with a cookie. A channel
    /// with OAuth takes a code or a refresh token. Every other request is refused with 401. If the request has no
    /// names, the answer has those that are stored.
    private func grant(_ asked: TokenRequest, on face: SandboxChannel) async throws(ChatError) -> HTTPResponse {
        var customer: WireCustomer
        var identityToken: String?
        switch asked {
        case .anonymous(let own) where !face.authorization.isOAuth: customer = own ?? WireCustomer(id: makeID())
        case .securedCookie(let known) where !face.authorization.isOAuth:
            // The sandbox sets no cookie. The token does its work, as where browsers keep none.
            customer = WireCustomer(id: known.flatMap { identity($0, on: face) } ?? makeID())
            identityToken = token(
                .identity, AccountKey(service: "", channel: "", customer: customer.id), face,
                lifetime: Self.identityLifetime)
        case .authorizationCode(let code, _) where face.authorization.isOAuth:
            customer = WireCustomer(id: self.customer(ofCode: code))
        case .refresh(let token) where face.authorization.isOAuth:
            guard let claims = claims(token, .refresh, on: face) else {
                return .failure(401, "TokenRefreshingFailed", "The refresh token was not issued by this sandbox.")
            }
            customer = WireCustomer(id: claims.customer)
        default:
            return .failure(
                401, "ConsumerAuthorizationFailed",
                "This kind of request does not fit the channel's way of authorization.")
        }
        guard Identifier.isValid(customer.id) else {
            return .failure(400, "InconsistentData", "The customer's id must be \(Identifier.rule).")
        }
        let key = AccountKey(service: "local", channel: face.channel, customer: customer.id)
        if let known = try await store.read({ try $0.account(key) })?.customer {
            customer.firstName = customer.firstName ?? known.firstName
            customer.lastName = customer.lastName ?? known.lastName
            customer.image = customer.image ?? known.imageURL
        }
        let third =
            !face.authorization.isOAuth
            ? nil
            : ThirdPartyToken(
                accessToken: token(.access, key, face), refreshToken: token(.refresh, key, face),
                expiresIn: Self.tokenLifetime)
        let answer = TokenAnswer(
            transactionToken: AccessToken(token: token(.transaction, key, face), expiresIn: Self.tokenLifetime),
            customer: customer, thirdParty: third, identityToken: identityToken)
        return .json(answer.encoded())
    }

    /// `GET /chat/1.0/brand/{brand}/events/{event}`: an event that was too large for a frame. 404 after it was
    /// dropped.
    public func largeEvent(_ id: String, brand: String) async -> HTTPResponse {
        guard Int(brand) == ids.brand, let body = largeEvents.body(id) else {
            return .failure(404, "S3EventLoadFailed", "There is no such event; it may have been dropped.")
        }
        return .json(body)
    }

    // MARK: The socket

    /// Whether a request to the page's own address is one for the socket.
    public static func isSocket(_ request: HTTPRequest) -> Bool { Handshake.isRequested(request) }

    /// Opens the WebSocket. The request's query says who opens it, and where (`SocketQuery`). Returns 101 with
    /// the upgrade, 426 for a request that is no WebSocket handshake, or a refusal in the platform's shape.
    public func open(_ request: HTTPRequest) async -> HTTPResponse {
        guard let headers = Handshake.headers(for: request) else {
            return HTTPResponse(
                status: 426,
                headers: [
                    ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"), ("Content-Type", "application/json"),
                ],
                body: .bytes(
                    ServiceFailure(
                        code: .inconsistentData, message: "This address takes only WebSocket connections of version 13."
                    )
                    .encoded()))
        }
        let (operation, number) = ("openSandboxSocket", faults.frames.record(request, "openSandboxSocket", nil))
        switch await session(for: request) {
        case .refused(let answer):
            faults.frames.record(answer, operation, nil, to: number)
            return answer
        case .session(let session):
            let occasion = FaultOccasion(
                customer: nil, channel: session.face.channel, socket: session.number, event: operation)
            defer { faults.observe(occasion, frame: number) }
            if faults.meet([.refuse], occasion, .toSandbox, onlyNamed: true) != nil {
                faults.frames.record(.refusal, operation, nil, to: number)
                return .refusal
            }
            let answer = HTTPResponse(
                status: 101, headers: headers,
                body: .upgrade(HTTPUpgrade { [self] socket in adopt(socket, for: session) }))
            guard faults.meet([.loseAnswer], occasion, .toClient, onlyNamed: true) == nil else { return .lost }
            faults.frames.record(answer, operation, nil, to: number, socket: session.number)
            return answer
        }
    }

    /// Begins a session over a socket of the caller's. Returns whom to tell what comes; nil when the request is
    /// refused.
    ///
    /// - Parameter request: its query says who opens the socket; nothing else of the handshake is looked at.
    package func open(_ request: HTTPRequest, over socket: any SandboxSocket) async -> (@Sendable (SocketNews) -> Void)?
    {
        guard case .session(let session) = await session(for: request) else { return nil }
        let inbox = session.inbox
        begin(session, on: socket)
        return { inbox.put($0) }
    }

    /// What becomes of a request for the socket.
    private enum Opening {
        case session(SandboxSession)
        case refused(HTTPResponse)
    }

    /// Checks brand, channel and token of the socket's URL. On a secured channel the transaction token names the
    /// customer; on one with OAuth and without secured sessions an id in the URL is not believed.
    private func session(for request: HTTPRequest) async -> Opening {
        let text = request.target.firstIndex(of: "?").map { String(request.target[$0...].dropFirst()) } ?? ""
        guard let query = try? SocketQuery(query: text) else {
            return .refused(.failure(400, "InconsistentData", "The query must have brandId and channelId."))
        }
        do throws(ChatError) {
            let face = try await face(query.channelID, brand: query.brandID)
            var customer = query.customerID.map { WireCustomer(id: $0) }
            var holder = SocketHolder(visitor: query.visitorID)
            if face.authorization.isSecured {
                guard let claims = query.transactionToken.flatMap({ claims($0, .transaction, on: face) }),
                    !isExpired(claims)
                else {
                    return .refused(
                        .failure(
                            401, "ConsumerAuthorizationFailed",
                            "The transaction token is missing, or not valid any more."))
                }
                customer = WireCustomer(id: claims.customer)
                holder.customer = "\(face.channel)/\(claims.customer)"
            } else if face.authorization.isOAuth {
                customer = nil
            }
            if let customer, !Identifier.isValid(customer.id) {
                return .refused(.failure(400, "InconsistentData", "The customer's id must be printable ASCII."))
            }
            let place: SocketPlace
            do throws(PlaceRefusal) {
                place = try places.takePlace(holder)
            } catch {
                return .refused(.failure(error, of: "sockets"))
            }
            return .session(
                SandboxSession(
                    number: nextNumber(), sandbox: self, face: face, query: query, customer: customer,
                    base: Self.base(of: request), holder: holder, place: place))
        } catch {
            return .refused(.failure(404, "InconsistentData", error.detail))
        }
    }

    // MARK: Common

    /// Turns an error into the platform's shape: 404 for an unknown channel or file, 503 if the store failed, otherwise
    /// 400.
    func answer(_ work: () async throws(ChatError) -> HTTPResponse) async -> HTTPResponse {
        do throws(ChatError) {
            return try await work()
        } catch {
            let status =
                switch error.code {
                case .unknownChannel, .unknownAttachment: 404
                case .storageFailed, .storageUnavailable, .storageFull: 503
                default: 400
                }
            return .failure(status, "InconsistentData", error.detail)
        }
    }

    /// How the client reaches the gateway, which has checked the header.
    static func base(of request: HTTPRequest) -> String { request.origin }
}

extension HTTPResponse {
    /// A 200 answer with a JSON body.
    static func json(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }

    /// An error as the platform writes it: `{"error": {"errorCode", "errorMessage"}}`.
    static func failure(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json")],
            body: .bytes(ServiceFailure(code: ErrorCode(rawValue: code), message: message).encoded()))
    }

    /// That a client gets no place: 429 when it has its share, 503 when all are taken.
    static func failure(_ refusal: PlaceRefusal, of things: String) -> HTTPResponse {
        var answer =
            switch refusal {
            case .share(let share, let limit):
                failure(
                    429, "TooManyRequests", "You have your share of the sandbox's \(things): \(share) of \(limit).")
            case .full(let limit):
                failure(503, "TooManyRequests", "All \(limit) places of the sandbox's \(things) are taken.")
            }
        answer.headers.append(("Retry-After", "1"))
        return answer
    }
}
