import Formats

/// `POST .../mute`, `.../ban`.
package struct RestrictUser: SendbirdRequestBody, Hashable {
    package var userID: String
    /// Nil or -1: ten years.
    package var seconds: Int64?
    package var text: String?

    package init(_ userID: String, seconds: Int64? = nil, text: String? = nil) {
        (self.userID, self.seconds, self.text) = (userID, seconds, text)
    }

    package init(reading request: inout SendbirdRequestReader) {
        userID = request.requiredUserID("user_id")
        seconds = request.number("seconds", in: -1...SendbirdRestriction.longest)
        text = request.text("description", upTo: SendbirdBound.description)
        // Who asks is told to nobody here.
        request.ignore("agent_id")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", userID)
            json.member("seconds", ifPresent: seconds)
            json.member("description", text)
        }
    }
}

/// `PUT .../ban/{id}`.
package struct UpdateBan: SendbirdRequestBody, Hashable {
    package var seconds: Int64?
    package var text: String?

    package init(seconds: Int64? = nil, text: String? = nil) { (self.seconds, self.text) = (seconds, text) }

    package init(reading request: inout SendbirdRequestReader) {
        seconds = request.number("seconds", in: -1...SendbirdRestriction.longest)
        text = request.text("description", upTo: SendbirdBound.description)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("seconds", ifPresent: seconds)
            json.member("description", text)
        }
    }
}

/// `POST /users/{id}/block`: one user, or several.
package struct BlockUsers: SendbirdRequestBody, Hashable {
    package var targets: [String]

    package init(_ targets: [String]) { self.targets = targets }

    package init(reading request: inout SendbirdRequestReader) {
        let one = request.userID("target_id")
        targets = one.map { [$0] } ?? request.userIDs("user_ids") ?? []
        if one != nil { request.ignore("user_ids") } else if targets.isEmpty { request.need("target_id") }
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            if targets.count == 1 { json.member("target_id", targets[0]) } else { json.member("user_ids", targets) }
        }
    }
}
