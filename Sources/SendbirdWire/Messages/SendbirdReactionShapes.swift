import Formats

/// `POST .../messages/{id}/reactions`.
package struct React: SendbirdRequestBody, Hashable {
    package var userID: String
    package var key: String

    package init(_ userID: String, _ key: String) { (self.userID, self.key) = (userID, key) }

    package init(reading request: inout SendbirdRequestReader) {
        userID = request.requiredUserID("user_id")
        request.need("reaction")
        key = request.text("reaction", length: 1...SendbirdBound.reaction) ?? ""
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", userID)
            json.member("reaction", key)
        }
    }
}

/// What a reaction has become:
/// `{"user_id", "operation": "ADD", "success": true, "reaction", "updated_at", "msg_id"}`.
package struct SendbirdReactionChange: SendbirdShape {
    package var userID: String
    package var key: String
    package var isAdded: Bool
    package var updatedAt: UnixMilliseconds
    package var message: Int64

    package init(userID: String, key: String, isAdded: Bool, updatedAt: UnixMilliseconds, message: Int64) {
        (self.userID, self.key, self.isAdded) = (userID, key, isAdded)
        (self.updatedAt, self.message) = (updatedAt, message)
    }

    package init?(_ value: SendbirdValue) {
        guard let user = value.id("user_id"), let key = value.id("reaction"), let message = value.number("msg_id")
        else { return nil }
        self.init(
            userID: user, key: key, isAdded: value.text("operation") != "DELETE",
            updatedAt: value.milliseconds("updated_at") ?? .never, message: message)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", userID)
            json.member("operation", isAdded ? "ADD" : "DELETE")
            json.member("success", true)
            json.member("reaction", key)
            json.member("updated_at", updatedAt)
            json.member("msg_id", message)
        }
    }
}

/// Who has reacted with what, by the reaction.
package struct SendbirdReactionUsers: SendbirdShape {
    package var users: [String: [SendbirdPerson]]

    package init(_ users: [String: [SendbirdPerson]]) { self.users = users }

    package init?(_ value: SendbirdValue) {
        guard
            let users = value.map({ list in
                list.element.elements?.prefix(SendbirdBound.items).compactMap { SendbirdPerson(SendbirdValue($0)) }
            })
        else { return nil }
        self.init(users)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, people) in users.sorted(by: { $0.key < $1.key }) {
                json.name(key)
                json.beginArray()
                for person in people { person.write(to: &json) }
                json.endArray()
            }
        }
    }
}

/// What a search has found:
/// `{"total_count", "results", "has_prev", "has_next", "start_cursor", "end_cursor", "next"}`.
package struct SendbirdSearchAnswer: SendbirdShape {
    package var results: [SendbirdMessage]
    package var total: Int
    package var hasPrevious: Bool
    package var next: String

    package init(_ results: [SendbirdMessage], total: Int, hasPrevious: Bool, next: String) {
        (self.results, self.total, self.hasPrevious, self.next) = (results, total, hasPrevious, next)
    }

    package init?(_ value: SendbirdValue) {
        guard let results: [SendbirdMessage] = value.list("results") else { return nil }
        self.init(
            results, total: value.count("total_count") ?? results.count, hasPrevious: value.flag("has_prev") ?? false,
            next: value.text("next") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("total_count", total)
            json.member("results", results)
            json.member("has_prev", hasPrevious)
            json.member("has_next", !next.isEmpty)
            json.member("start_cursor", "")
            json.member("end_cursor", next)
            json.member("next", next)
        }
    }
}
