import Formats
import SendbirdWire

/// What makes a user a bot; kept with what is kept of the user.
struct BotExtras: SendbirdShape {
    var type = ""
    var callbackURL = ""
    var isPrivate = true

    init() {}

    init?(_ value: SendbirdValue) {
        type = value.text("type") ?? ""
        callbackURL = value.text("callback") ?? ""
        isPrivate = value.flag("private") ?? true
    }

    mutating func change(_ asked: BotSettings) {
        if let type = asked.type { self.type = type }
        if let url = asked.callbackURL { callbackURL = url }
        if let isPrivate = asked.isPrivate { self.isPrivate = isPrivate }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", type)
            json.member("callback", callbackURL)
            json.member("private", isPrivate)
        }
    }
}
