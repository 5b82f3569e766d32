import Formats
import SendbirdWire

/// What is kept beside a channel's thread.
struct ChannelExtras: MetadataExtras {
    /// Whether a program made the channel. A reset removes it.
    var isMade = false
    var isDistinct = false
    var isPublic = false
    var isFrozen = false
    var data = ""
    var coverURL = ""
    var inviter: String?
    var operators: [String] = []
    var metadata: [String: String] = [:]
    /// Members for whom the next message does not show the channel again.
    var hiddenFor: [String] = []
    /// Up to when messages were delivered, by the members' ids.
    var delivered: [String: UnixMilliseconds] = [:]
    /// What members want to be counted, by their ids.
    var countPreferences: [String: String] = [:]
    /// Who may not write, and who may not be in it, by their ids.
    var muted: [String: SendbirdRestriction] = [:]
    var banned: [String: SendbirdRestriction] = [:]

    init() {}

    init?(_ value: SendbirdValue) {
        isMade = value.flag("made") ?? false
        isDistinct = value.flag("distinct") ?? false
        isPublic = value.flag("public") ?? false
        isFrozen = value.flag("frozen") ?? false
        data = value.text("data") ?? ""
        coverURL = value.text("cover") ?? ""
        inviter = value.text("inviter")
        operators = value.texts("operators") ?? []
        metadata = value.texts(inMap: "metadata") ?? [:]
        hiddenFor = value.texts("hidden") ?? []
        delivered = value.map("delivered") { $0.number.map { UnixMilliseconds($0) } } ?? [:]
        countPreferences = value.texts(inMap: "count") ?? [:]
        muted = value.map("muted", SendbirdRestriction.init) ?? [:]
        banned = value.map("banned", SendbirdRestriction.init) ?? [:]
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("made", isMade)
        json.member("distinct", isDistinct)
        json.member("public", isPublic)
        json.member("frozen", isFrozen)
        json.member("data", data)
        json.member("cover", coverURL)
        json.member("inviter", inviter)
        json.member("operators", operators)
        json.member("metadata", metadata)
        json.member("hidden", hiddenFor)
        json.member("delivered", delivered)
        json.member("count", countPreferences)
        json.member("muted", muted)
        json.member("banned", banned)
        json.endObject()
    }

    /// Forgets what was personal of somebody who left.
    mutating func forget(_ user: String) {
        hiddenFor.removeAll { $0 == user }
        delivered[user] = nil
        countPreferences[user] = nil
    }
}
