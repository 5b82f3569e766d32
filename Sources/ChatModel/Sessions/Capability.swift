/// What a service can do on a channel. What it cannot do is refused by name, never ignored.
public enum Capability: String, Sendable, CaseIterable, Comparable {
    case threads, rename, archive, typing, readReceipts, customFields, editMessages, deleteMessages
    case members, replies, attachments, search, collections, liveChat, transcript, historyReset, richMessages, preChatSurvey
    case analytics, triggers

    public static func < (left: Capability, right: Capability) -> Bool { left.rawValue < right.rawValue }
}
