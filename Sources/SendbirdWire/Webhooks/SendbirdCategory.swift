/// What a webhook tells of, with the prefix `group_channel:`. Unknown ones are kept as they are.
package struct SendbirdCategory: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ name: String) { rawValue = "group_channel:" + name }

    package static let create = Self("create")
    package static let remove = Self("remove")
    package static let changed = Self("changed")
    package static let invite = Self("invite")
    package static let declineInvite = Self("decline_invite")
    package static let join = Self("join")
    package static let leave = Self("leave")
    package static let messageSend = Self("message_send")
    package static let messageUpdate = Self("message_update")
    package static let messageDelete = Self("message_delete")
    package static let messageRead = Self("message_read")
    package static let freezeUnfreeze = Self("freeze_unfreeze")
    package static let reactionAdd = Self("reaction_add")
    package static let reactionDelete = Self("reaction_delete")

    /// What the sandbox tells of.
    package static let served: [Self] = [
        .create, .remove, .changed, .invite, .declineInvite, .join, .leave, .messageSend, .messageUpdate,
        .messageDelete,
        .messageRead, .freezeUnfreeze, .reactionAdd, .reactionDelete,
    ]

    /// Whether a group channel has changed. Others are taken, and nothing is done.
    package var isOfChannel: Bool { rawValue.hasPrefix("group_channel:") }
}
