import Formats
import HTTPRouting
import MicroHTTP
import SandboxKit
import SendbirdWire

/// The paths of the platform under `/v3`, and the gateway's own paths for faults and frames. The platform's paths need no
/// token of the gateway, but the sandbox's own, and their errors have the platform's shape.
package struct SendbirdRoutes<Context: CallContext>: SandboxRouteGroup, RouteGroup {
    private let sandbox: SendbirdSandbox
    /// Whether the paths for faults and frames are this sandbox's.
    private let hasOwnPaths: Bool

    package init(_ sandbox: SendbirdSandbox, hasOwnPaths: Bool) {
        (self.sandbox, self.hasOwnPaths) = (sandbox, hasOwnPaths)
    }

    package var platform: SandboxPlatform {
        let sandbox = sandbox
        return SandboxPlatform("sendbird", sandbox.faults) { try await sandbox.reset() }
    }

    package var routes: [Route<Context>] {
        let all = users + ofUsers + channels + ofMembers + moderation + messages + ofMessages + files + settings + bots
        let served = withOtherMethods(all).map { $0.traced(.secret) }
        return hasOwnPaths ? served + SandboxControl(platform).routes : served
    }

    package func drain() { sandbox.faults.drain() }

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
            route(.delete, user, "deleteUser", sandbox.deleteUser),
            route(.post, "\(user)/token", "issueSessionToken", sandbox.issueToken),
        ] + metadata(of: .user, at: user, "User")
    }

    private var ofUsers: [Route<Context>] {
        let (sandbox, user) = (sandbox, "/v3/users/{user}")
        let invitations = "\(user)/channel_invitation_preference", counts = "\(user)/count_preference/{channel}"
        return [
            route(.get, "\(user)/my_group_channels", "listMyGroupChannels", sandbox.channelsOfUser),
            route(.put, "\(user)/my_group_channels/leave", "leaveMyGroupChannels", sandbox.leaveAll),
            route(.get, "\(user)/unread_message_count", "getUnreadMessageCount", sandbox.unreadCount),
            route(.get, "\(user)/unread_channel_count", "getUnreadChannelCount", sandbox.unreadChannelCount),
            route(.get, "\(user)/unread_item_count", "getUnreadItemCount", sandbox.unreadItems),
            route(.get, "\(user)/group_channel_count", "getGroupChannelCount", sandbox.channelCount),
            route(.put, "\(user)/mark_as_read_all", "markAllAsRead", sandbox.markAllAsRead),
            route(.get, invitations, "getInvitationPreference", sandbox.invitationPreference),
            route(.put, invitations, "updateInvitationPreference", sandbox.setInvitationPreference),
            route(.get, counts, "getCountPreference", sandbox.countPreference),
            route(.put, counts, "updateCountPreference", sandbox.setCountPreference),
            route(.get, "\(user)/block", "listBlockedUsers", sandbox.blocked),
            route(.post, "\(user)/block", "blockUser", sandbox.block),
            route(.delete, "\(user)/block/{target}", "unblockUser", sandbox.unblock),
        ]
    }

    /// The calls of metadata, which users and channels have.
    private func metadata(
        of owner: SendbirdSandbox.MetadataOwner, at path: String, _ noun: String
    ) -> [Route<Context>] {
        let (sandbox, all) = (sandbox, "\(path)/metadata")
        typealias Answer = SendbirdError
        return [
            route(.get, all, "list\(noun)Metadata") { (request) throws(Answer) in
                try await sandbox.metadata(request, of: owner)
            },
            route(.post, all, "create\(noun)Metadata") { (request) throws(Answer) in
                try await sandbox.writeMetadata(request, of: owner, adds: true)
            },
            route(.put, all, "update\(noun)Metadata") { (request) throws(Answer) in
                try await sandbox.writeMetadata(request, of: owner, adds: false)
            },
            route(.delete, all, "delete\(noun)Metadata") { (request) throws(Answer) in
                try await sandbox.deleteMetadata(request, of: owner)
            },
            route(.get, "\(all)/{key}", "get\(noun)MetadataValue") { (request) throws(Answer) in
                try await sandbox.metadataValue(request, of: owner)
            },
            route(.put, "\(all)/{key}", "update\(noun)MetadataValue") { (request) throws(Answer) in
                try await sandbox.writeMetadataValue(request, of: owner)
            },
            route(.delete, "\(all)/{key}", "delete\(noun)MetadataValue") { (request) throws(Answer) in
                try await sandbox.deleteMetadata(request, of: owner)
            },
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
            route(.put, "\(channel)/freeze", "freezeGroupChannel", sandbox.freeze),
            route(.put, "\(channel)/hide", "hideGroupChannel", sandbox.hide),
            route(.delete, "\(channel)/hide", "unhideGroupChannel", sandbox.unhide),
            route(.put, "\(channel)/reset_user_history", "resetUserHistory", sandbox.resetHistory),
            route(.post, "\(channel)/typing", "startTyping") { (request) throws(SendbirdError) in
                try await sandbox.reportTyping(request, true)
            },
            route(.delete, "\(channel)/typing", "stopTyping") { (request) throws(SendbirdError) in
                try await sandbox.reportTyping(request, false)
            },
        ] + metadata(of: .channel, at: channel, "Channel")
    }

    private var ofMembers: [Route<Context>] {
        let (sandbox, channel) = (sandbox, "/v3/group_channels/{channel}")
        return [
            route(.get, "\(channel)/members", "listMembers", sandbox.members),
            route(.get, "\(channel)/members/{user}", "isMember", sandbox.membership),
            route(.post, "\(channel)/invite", "inviteMembers", sandbox.invite),
            route(.put, "\(channel)/accept", "acceptInvitation", sandbox.accept),
            route(.put, "\(channel)/decline", "declineInvitation", sandbox.decline),
            route(.put, "\(channel)/join", "joinGroupChannel", sandbox.join),
            route(.put, "\(channel)/leave", "leaveGroupChannel", sandbox.leave),
            route(.get, "\(channel)/operators", "listOperators", sandbox.operators),
            route(.post, "\(channel)/operators", "addOperators", sandbox.addOperators),
            route(.delete, "\(channel)/operators", "removeOperators", sandbox.removeOperators),
        ]
    }

    private var moderation: [Route<Context>] {
        let sandbox = sandbox
        let (mute, ban) = ("/v3/group_channels/{channel}/mute", "/v3/group_channels/{channel}/ban")
        return [
            route(.post, mute, "muteUser", sandbox.mute),
            route(.get, "\(mute)/{user}", "getMute", sandbox.muteOfUser),
            route(.delete, "\(mute)/{user}", "unmuteUser", sandbox.unmute),
            route(.post, ban, "banUser", sandbox.ban),
            route(.get, "\(ban)/{user}", "getBan", sandbox.banOfUser),
            route(.put, "\(ban)/{user}", "updateBan", sandbox.updateBan),
            route(.delete, "\(ban)/{user}", "unbanUser", sandbox.unban),
        ] + restrictions(.mute, at: mute, "Muted", "mute") + restrictions(.ban, at: ban, "Banned", "ban")
    }

    /// The lists of those who are muted or banned.
    private func restrictions(
        _ kind: SendbirdRestrictedUser.Kind, at path: String, _ noun: String, _ word: String
    ) -> [Route<Context>] {
        let sandbox = sandbox
        return [
            route(.get, path, "list\(noun)Users") { (request) throws(SendbirdError) in
                try await sandbox.restricted(request, kind)
            },
            route(.get, "/v3/users/{user}/\(word)", "list\(noun)Channels") { (request) throws(SendbirdError) in
                try await sandbox.restrictedChannels(request, kind)
            },
        ]
    }

    private var messages: [Route<Context>] {
        let (sandbox, messages) = (sandbox, "/v3/group_channels/{channel}/messages")
        return [
            route(.get, messages, "listMessages", sandbox.messages),
            route(.post, messages, "sendMessage", limit: SendbirdBound.form, sandbox.sendMessage),
            route(.get, "/v3/search/messages", "searchMessages", sandbox.searchMessages),
            route(.get, "\(messages)/total_count", "getTotalMessageCount", sandbox.messageCount),
            route(.get, "\(messages)/unread_count", "getUnreadCounts", sandbox.unreadCounts),
            route(.get, "\(messages)/thread_info", "getThreadInfo", sandbox.threadInfo),
            route(.put, "\(messages)/mark_as_read", "markAsRead", sandbox.markAsRead),
            route(.put, "\(messages)/mark_as_delivered", "markAsDelivered", sandbox.markAsDelivered),
        ]
    }

    private var ofMessages: [Route<Context>] {
        let (sandbox, message) = (sandbox, "/v3/group_channels/{channel}/messages/{message}")
        let extras = "\(message)/sorted_metaarray"
        return [
            route(.get, message, "getMessage", sandbox.message),
            route(.put, message, "updateMessage", sandbox.updateMessage),
            route(.delete, message, "deleteMessage", sandbox.deleteMessage),
            route(.get, "\(message)/reactions", "listReactions", sandbox.reactions),
            route(.post, "\(message)/reactions", "addReaction", sandbox.react),
            route(.delete, "\(message)/reactions", "deleteReaction", sandbox.removeReaction),
            route(.post, extras, "createSortedMetaArray") { (request) throws(SendbirdError) in
                try await sandbox.writeExtras(request, creates: true)
            },
            route(.put, extras, "updateSortedMetaArray") { (request) throws(SendbirdError) in
                try await sandbox.writeExtras(request, creates: false)
            },
            route(.delete, extras, "deleteSortedMetaArray", sandbox.removeExtras),
        ]
    }

    private var settings: [Route<Context>] {
        let (sandbox, webhook) = (sandbox, "/v3/applications/settings/webhook")
        let tokens = "/v3/applications/api_tokens"
        return [
            route(.get, webhook, "getWebhook", sandbox.webhook),
            route(.put, webhook, "updateWebhook", sandbox.updateWebhook),
            route(.get, tokens, "listAPITokens", sandbox.apiTokens),
            route(.post, tokens, "createAPIToken", sandbox.createAPIToken),
            route(.get, "\(tokens)/{token}", "getAPIToken", sandbox.apiToken),
            route(.delete, "\(tokens)/{token}", "revokeAPIToken", sandbox.revokeAPIToken),
        ]
    }

    private var bots: [Route<Context>] {
        let (sandbox, bot) = (sandbox, "/v3/bots/{user}")
        return [
            route(.get, "/v3/bots", "listBots", sandbox.bots),
            route(.post, "/v3/bots", "createBot", sandbox.createBot),
            route(.get, bot, "getBot", sandbox.bot),
            route(.put, bot, "updateBot", sandbox.updateBot),
            route(.delete, bot, "deleteBot", sandbox.deleteBot),
            route(.post, "\(bot)/send", "sendAsBot", limit: SendbirdBound.form, sandbox.sendAsBot),
            route(.post, "\(bot)/channels", "joinBot", sandbox.joinBot),
            route(.delete, "\(bot)/channels", "leaveAllAsBot", sandbox.leaveAsBot),
            route(.delete, "\(bot)/channels/{channel}", "leaveAsBot", sandbox.leaveAsBot),
        ]
    }

    /// The files of messages. They need no token: the address is known to who may read the message.
    private var files: [Route<Context>] {
        let sandbox = sandbox
        return [
            Route<Context>(
                .get, "/v3/files/{file}/{path}", "getFile", access: .open, query: .any,
                handler: .aside { call in
                    let file: ServedFile
                    do throws(SendbirdError) {
                        file = try await sandbox.file(call.parameters["file"])
                    } catch {
                        return .failure(error)
                    }
                    return try file.response(to: call.request)
                })
        ]
    }

    /// Adds what is not served: other methods of these paths, and all other paths. They answer with the platform's own
    /// error.
    private func withOtherMethods(_ routes: [Route<Context>]) -> [Route<Context>] {
        let templates = Dictionary(grouping: routes, by: \.template).mapValues { Set($0.map(\.method)) }
        let all = templates.sorted { $0.key < $1.key } + [("/v3", []), ("/v3/{path}", [])]
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
        _ method: Method, _ template: String, _ operationID: String, limit: Int = SendbirdBound.request,
        _ handler: @escaping @Sendable (SandboxRequest) async throws(SendbirdError) -> any SendbirdShape
    ) -> Route<Context> {
        let sandbox = sandbox
        return Route<Context>(
            method, template, operationID, access: .open, query: .any,
            body: .foreign(limit: limit),
            handler: .aside { call in
                try await sandbox.answer(
                    call.request,
                    SandboxRequest(operationID, call.request, call.parameters, isStrict: sandbox.isStrict),
                    handler)
            })
    }
}

extension SendbirdSandbox {
    private static let tooLarge = SendbirdError(.combinationRefused, "The answer would be too large. Ask for fewer.")

    /// Answers a request, and keeps both as frames.
    func answer(
        _ raw: HTTPRequest, _ request: SandboxRequest,
        _ handler: @escaping @Sendable (SandboxRequest) async throws(SendbirdError) -> any SendbirdShape
    ) async throws -> HTTPResponse {
        // Who has no token reaches neither faults nor frames.
        do throws(SendbirdError) {
            try await checkToken(raw.headers["api-token"], for: request.operation)
        } catch {
            return .failure(error)
        }
        let occasion = request.occasion
        return try await faults.recorded(
            occasion.event, raw, customer: occasion.customer, channel: { occasion.channel }, refusal: refusal(of:),
            customerOf: { _ in nil }, unknown: { request.unknown.all }
        ) {
            do throws(SendbirdError) {
                let answer = try await handler(request).encoded
                guard answer.count <= SendbirdBound.answer else { throw Self.tooLarge }
                return .answer(answer)
            } catch {
                return .failure(error)
            }
        }
    }
}

extension SandboxRequest {
    /// The request as faults look at it.
    var occasion: FaultOccasion {
        let (user, channel) = (parameters["user"], parameters["channel"])
        return FaultOccasion(
            customer: user.isEmpty ? nil : user, channel: channel.isEmpty ? nil : channel, event: operation)
    }
}

extension HTTPResponse {
    fileprivate static func answer(_ json: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: .bytes(json))
    }

    static func failure(_ error: SendbirdError) -> HTTPResponse {
        HTTPResponse(
            status: error.code.status, headers: [("Content-Type", "application/json")], body: .bytes(error.encoded))
    }
}
