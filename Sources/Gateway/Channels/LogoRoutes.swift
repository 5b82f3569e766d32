import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The picture of a channel, which stands in the head of its chat. It is kept as people's pictures are, and the
/// channel's appearance names its address.
extension DeskRoutes {
    var logos: [Route] {
        let path = "/v1/desk/channels/{channel}/logo"
        return [
            Route(
                .get, path, "getChannelLogo", access: .scope(.channelsRead),
                handler: .aside { call in
                    let channel = try await call.core.store.read { try call.channel(in: $0) }
                    guard let logo = channel.appearance?.logo else {
                        throw Problem(.notFound, "The channel has no logo.")
                    }
                    return call.json(headers: [Call.revalidate]) { Self.encode(logo, to: &$0) }
                }),
            Route(
                .put, path, "setChannelLogo", access: .scope(.channelsWrite),
                body: .foreign(limit: Picture.maximumByteCount),
                handler: .aside { call in
                    let picture = try call.picture
                    try await call.setLogo(picture)
                    return call.json { Self.encode(Picture.path(picture.digest), to: &$0) }
                }
            ).audited(as: "channel.changed"),
            Route(
                .delete, path, "deleteChannelLogo", access: .scope(.channelsWrite),
                handler: .aside { call in
                    try await call.setLogo(nil)
                    return call.noContent()
                }
            ).audited(as: "channel.changed"),
        ]
    }

    private static func encode(_ logo: String, to json: inout JSONWriter) {
        json.beginObject()
        json.member("logo", logo)
        json.endObject()
    }
}

extension Call {
    /// The path's channel. Throws `unknownChannel` for one that is not there for the caller.
    fileprivate func channel(in transaction: ReadTransaction) throws -> Channel {
        let id = parameters["channel"]
        guard rights.reaches(id), let channel = try transaction.channel(id, of: VisitorRoutes.service) else {
            throw ChatError.unknownChannel(id)
        }
        return channel
    }

    fileprivate func setLogo(_ picture: Picture?) async throws {
        ChatStore.act?.name(members: ["appearance.logo"])
        let channel = try await core.store.write { transaction in
            var channel = try self.channel(in: transaction)
            try transaction.setLogo(picture, of: &channel, VisitorRoutes.service)
            return channel
        }
        core.origins.note(channel)
    }
}
