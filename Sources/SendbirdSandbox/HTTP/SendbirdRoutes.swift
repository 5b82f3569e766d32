import Formats
import HTTPRouting
import MicroHTTP
import SandboxKit
import SendbirdWire

/// The paths of the platform under `/v3`, and the gateway's own paths for faults and frames. The platform's paths need no
/// token of the gateway, but the sandbox's own, and their errors have the platform's shape.
package struct SendbirdRoutes<Context: CallContext>: RouteGroup {
    private let sandbox: SendbirdSandbox
    /// Whether the paths for faults and frames are this sandbox's.
    private let hasOwnPaths: Bool

    package init(_ sandbox: SendbirdSandbox, hasOwnPaths: Bool) {
        (self.sandbox, self.hasOwnPaths) = (sandbox, hasOwnPaths)
    }

    package var routes: [Route<Context>] {
        let (sandbox, faults) = (sandbox, sandbox.faults)
        let platform = withOtherMethods(users + channels + messages).map { $0.traced(.secret) }
        guard hasOwnPaths else { return platform }
        return platform + FaultRoutes(faults).routes + ScriptRoutes(faults).routes
            + ResetRoute { try await sandbox.reset() }.routes + FrameRoutes(faults).routes
    }

    package func drain() { sandbox.faults.frames.recent.endWaits() }

    /// Adds what a client's configuration needs, for whoever runs the gateway:
    /// `"sendbirdSandbox":{"url","applicationId","apiToken","channel"}`. Its token opens all users and conversations of the
    /// channel, so customers and keys do not see it.
    package func describe(to request: HTTPRequest, of identity: Identity, in json: inout JSONWriter) async {
        guard identity.runsGateway else { return }
        json.name("sendbirdSandbox")
        json.beginObject()
        json.member("url", request.origin)
        json.member("applicationId", sandbox.applicationID)
        json.member("apiToken", sandbox.token)
        json.member("channel", sandbox.channel)
        json.endObject()
    }

    private var users: [Route<Context>] {
        let (sandbox, user) = (sandbox, "/v3/users/{user}")
        return [
            route(.get, "/v3/users", "listUsers", sandbox.users),
            route(.post, "/v3/users", "createUser", sandbox.createUser),
            route(.get, user, "getUser", sandbox.user),
            route(.put, user, "updateUser", sandbox.updateUser),
            route(.get, "\(user)/my_group_channels", "listMyGroupChannels", sandbox.channelsOfUser),
            route(.get, "\(user)/unread_message_count", "getUnreadMessageCount", sandbox.unreadCount),
        ]
    }

    private var channels: [Route<Context>] {
        let (sandbox, channel) = (sandbox, "/v3/group_channels/{channel}")
        return [
            route(.get, "/v3/group_channels", "listGroupChannels", sandbox.channels),
            route(.post, "/v3/group_channels", "createGroupChannel", sandbox.createChannel),
            route(.get, channel, "getGroupChannel", sandbox.channel),
            route(.put, channel, "updateGroupChannel", sandbox.updateChannel),
            route(.delete, channel, "deleteGroupChannel", sandbox.deleteChannel),
            route(.get, "\(channel)/members", "listMembers", sandbox.members),
            route(.get, "\(channel)/members/{user}", "isMember", sandbox.membership),
            route(.post, "\(channel)/invite", "inviteMembers", sandbox.invite),
            route(.put, "\(channel)/leave", "leaveGroupChannel", sandbox.leave),
        ]
    }

    private var messages: [Route<Context>] {
        let (sandbox, messages) = (sandbox, "/v3/group_channels/{channel}/messages")
        return [
            route(.get, messages, "listMessages", sandbox.messages),
            route(.post, messages, "sendMessage", sandbox.sendMessage),
            route(.get, "\(messages)/total_count", "getTotalMessageCount", sandbox.messageCount),
            route(.put, "\(messages)/mark_as_read", "markAsRead", sandbox.markAsRead),
            route(.get, "\(messages)/{message}", "getMessage", sandbox.message),
            route(.put, "\(messages)/{message}", "updateMessage", sandbox.updateMessage),
            route(.delete, "\(messages)/{message}", "deleteMessage", sandbox.deleteMessage),
        ]
    }

    /// Adds what is not served: other methods of these paths, and all other paths. They answer with the platform's own
    /// error.
    private func withOtherMethods(_ routes: [Route<Context>]) -> [Route<Context>] {
        let templates = Dictionary(grouping: routes, by: \.template).mapValues { Set($0.map(\.method)) }
        let all = templates.sorted { $0.key < $1.key } + [("/v3/{path}", [])]
        return routes
            + all.flatMap { template, methods in
                Method.allCases.filter { !methods.contains($0) }.map { notServed($0, template) }
            }
    }

    private func notServed(_ method: Method, _ template: String) -> Route<Context> {
        route(method, template, "notServed") { (request) throws(SendbirdError) in
            throw SendbirdError(.notServed, "The sandbox does not serve \(method.rawValue) \(request.path).")
        }
    }

    /// One of the platform's routes, with a body that the sandbox reads by itself.
    private func route(
        _ method: Method, _ template: String, _ operationID: String,
        _ handler: @escaping @Sendable (SandboxRequest) async throws(SendbirdError) -> any SendbirdShape
    ) -> Route<Context> {
        let sandbox = sandbox
        return Route<Context>(
            method, template, operationID, access: .open, query: .any,
            body: method == .get ? .none : .foreign(limit: SendbirdBound.request),
            handler: .aside { call in
                try await sandbox.answer(
                    operationID, call.request, SandboxRequest(call.request, call.parameters), handler)
            })
    }
}

extension SendbirdSandbox {
    /// Answers a request, and keeps both as frames.
    func answer(
        _ operation: String, _ raw: HTTPRequest, _ request: SandboxRequest,
        _ handler: (SandboxRequest) async throws(SendbirdError) -> any SendbirdShape
    ) async throws -> HTTPResponse {
        // Who has no token reaches neither faults nor frames.
        guard raw.headers["api-token"]?.isSecretly(token) == true else {
            return .failure(SendbirdError(.tokenInvalid, "Invalid Api-Token."))
        }
        let user = request.parameters["user"]
        return try await faults.recorded(
            operation, raw, customer: user.isEmpty ? nil : user,
            channel: { request.parameters["channel"].isEmpty ? nil : request.parameters["channel"] },
            refusal: { fault in
                let code = fault.errorCode.flatMap { Int($0) }.map(SendbirdErrorCode.init(rawValue:))
                return .failure(SendbirdError(code ?? .internalError, "The sandbox was asked to refuse this."))
            },
            customerOf: { _ in nil }
        ) {
            do throws(SendbirdError) {
                return .shape(try await handler(request))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension HTTPResponse {
    static func shape(_ shape: any SendbirdShape) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [("Content-Type", "application/json")], body: .bytes(shape.encoded))
    }

    static func failure(_ error: SendbirdError) -> HTTPResponse {
        HTTPResponse(
            status: error.code.status, headers: [("Content-Type", "application/json")], body: .bytes(error.encoded))
    }
}
