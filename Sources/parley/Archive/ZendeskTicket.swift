import Bounds
import ChatModel
import Formats

/// Who is named in Zendesk's tickets, by the ids there.
struct ZendeskUsers {
    struct User {
        var name: String?
        var email: String?
        /// Nil if it is not known.
        var isAgent: Bool?
    }

    private(set) var byID: [String: User] = [:]

    mutating func add(_ json: JSONElement) {
        guard let id = json["id"]?.number else { return }
        byID[id] = User(
            name: json["name"]?.string, email: json["email"]?.string,
            isAgent: json["role"]?.string.map { $0 != "end-user" })
    }
}

/// Makes a conversation, as `parley import` sends it, of a ticket of Zendesk.
///
/// Public comments become messages, others notes. A ticket that is solved or closed is a closed conversation. `good` is the
/// score 5, `bad` the score 1. Ids of people and of the ticket get `zendesk-` before them.
struct ZendeskTicket {
    /// What is missing or wrong in a ticket.
    struct Fault: Error, Equatable {
        let member: String
        let detail: String
    }

    let users: ZendeskUsers
    /// Whether conversations of the channel have names: then the subject is the name, otherwise a field.
    let hasNames: Bool

    private static let closed: Set<String> = ["solved", "closed"]

    /// The conversation as JSON. Throws ``Fault``.
    func conversation(_ ticket: JSONElement) throws(Fault) -> [UInt8] {
        var users = self.users
        let people = [ticket["requester"], ticket["assignee"], ticket["submitter"]].compactMap { $0 }
        for person in people + (ticket["collaborators"]?.elements ?? []) where person["name"] != nil {
            users.add(person)
        }
        let id = try Self.number(ticket, "id")
        let createdAt = try Self.time(ticket, "created_at")
        let customer = try Self.person(ticket, "requester")
        let comments = try self.comments(of: ticket, by: customer, at: createdAt)
        let isClosed = Self.closed.contains(ticket["status"]?.string ?? "")
        let assignee = ticket["assignee_id"]?.number ?? ticket["assignee"]?["id"]?.number
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.member("id", "zendesk-\(id)")
        json.name("customer")
        Self.write(customer: customer, users.byID[customer], to: &json)
        let subject = ticket["subject"]?.string.map { $0.cut(toScalars: 256).text } ?? ""
        if hasNames, !subject.isEmpty { json.member("name", subject) }
        json.member(
            "customFields",
            hasNames || subject.isEmpty ? ["zendeskTicket": id] : ["subject": subject, "zendeskTicket": id])
        json.member("state", isClosed ? "closed" : "ready")
        json.member("createdAt", createdAt)
        if let assignee {
            json.name("agent")
            json.beginObject()
            json.member("id", Self.id(assignee))
            json.member("name", users.byID[assignee]?.name.flatMap(Self.name))
            json.endObject()
        }
        Self.writeTags(ticket, to: &json)
        try Self.writeContact(
            ticket, from: createdAt, after: comments.filter(\.isPublic).map(\.at), isClosed, by: assignee, to: &json)
        let cast = People(users: users, customer: customer)
        json.name("messages")
        json.beginArray()
        for comment in comments where comment.isPublic { comment.write(cast, to: &json) }
        json.endArray()
        json.name("notes")
        json.beginArray()
        for comment in comments where !comment.isPublic { comment.write(cast, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    // MARK: Members

    static func id(_ number: String) -> String { "zendesk-user-\(number)" }

    /// A name that a conversation can have; nil for none.
    static func name(_ text: String) -> String? {
        let name = text.cut(toScalars: 256).text
        return name.isEmpty ? nil : name
    }

    fileprivate static func number(_ json: JSONElement, _ member: StaticString) throws(Fault) -> String {
        let value = json[member]?.number ?? json[member]?.string.flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil }
        guard let value, !value.isEmpty, value.utf8.count <= 32 else {
            throw Fault(member: "\(member)", detail: "a number was expected")
        }
        return value
    }

    fileprivate static func time(_ json: JSONElement, _ member: StaticString) throws(Fault) -> Timestamp {
        guard let time = json[member]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw Fault(member: "\(member)", detail: "a time as in RFC 3339 was expected")
        }
        return time
    }

    private static func person(_ ticket: JSONElement, _ member: StaticString) throws(Fault) -> String {
        if let id = ticket["requester_id"]?.number { return id }
        guard let person = ticket[member] else { throw Fault(member: "requester", detail: "it is missing") }
        return try number(person, "id")
    }

    private static func write(customer id: String, _ user: ZendeskUsers.User?, to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", Self.id(id))
        let words = (user?.name ?? "").split(separator: " ", maxSplits: 1)
        json.member("firstName", words.first.map(String.init).flatMap(name))
        json.member("lastName", words.count > 1 ? name(String(words[1])) : nil)
        if let email = user?.email, 3...254 ~= email.unicodeScalars.count { json.member("email", email) }
        json.endObject()
    }

    private static func writeTags(_ ticket: JSONElement, to json: inout JSONWriter) {
        json.name("tags")
        json.beginArray()
        var known = Set<String>()
        for tag in (ticket["tags"]?.elements ?? []).compactMap(\.string) {
            let name = tag.cut(toScalars: DeskTag.nameLength.upperBound).text
            guard !name.isEmpty, known.count < ThreadTeam.maximumTags, known.insert(name).inserted else { continue }
            json.beginObject()
            json.member("name", name)
            json.endObject()
        }
        json.endArray()
    }

    private static func writeContact(
        _ ticket: JSONElement, from start: Timestamp, after times: [Timestamp], _ isClosed: Bool, by assignee: String?,
        to json: inout JSONWriter
    ) throws(Fault) {
        // No message of the conversation stands before its contact.
        let openedAt = min(start, times.min() ?? start)
        json.name("contacts")
        json.beginArray()
        json.beginObject()
        json.member("openedAt", openedAt)
        if isClosed {
            let solved = ticket["metric_set"]?["solved_at"]?.string ?? ticket["solved_at"]?.string
            var end = solved.flatMap { Timestamp(rfc3339: $0) }
            if end == nil { end = try time(ticket, "updated_at") }
            json.member("closedAt", max(end ?? openedAt, openedAt))
            if let assignee { json.member("closedBy", id(assignee)) }
            switch ticket["satisfaction_rating"]?["score"]?.string {
            case let score? where score.hasPrefix("good"): json.member("score", 5)
            case let score? where score.hasPrefix("bad"): json.member("score", 1)
            default: break
            }
        }
        json.endObject()
        json.endArray()
        guard isClosed, let rating = ticket["satisfaction_rating"], let score = rating["score"]?.string,
            score.hasPrefix("good") || score.hasPrefix("bad")
        else { return }
        json.name("rating")
        json.beginObject()
        json.member("score", score.hasPrefix("good") ? 5 : 1)
        if let comment = rating["comment"]?.string, !comment.isEmpty {
            json.member("comment", comment.cut(toScalars: Rating.maximumComment).text)
        }
        var at = (rating["updated_at"] ?? rating["created_at"])?.string.flatMap { Timestamp(rfc3339: $0) }
        if at == nil { at = try time(ticket, "updated_at") }
        if let at { json.member("at", at) }
        json.endObject()
    }

    private func comments(
        of ticket: JSONElement, by customer: String, at time: Timestamp
    ) throws(Fault) -> [ZendeskComment] {
        var comments: [ZendeskComment] = []
        for (index, json) in (ticket["comments"]?.elements ?? []).enumerated() {
            do throws(Fault) {
                comments.append(try ZendeskComment(json, number: index))
            } catch {
                throw Fault(member: "comments/\(index)/\(error.member)", detail: error.detail)
            }
        }
        guard comments.isEmpty, let text = ticket["description"]?.string, !text.isEmpty else { return comments }
        return [ZendeskComment(text: text, author: customer, at: time)]
    }

    /// Who is who in a ticket.
    struct People {
        let users: ZendeskUsers
        let customer: String

        func author(_ id: String) -> Author {
            if id.hasPrefix("-") { return .system }
            let user = users.byID[id]
            // Who is not known to be one of the team, and has not asked, is taken for one.
            let isAgent = id != customer && user?.isAgent ?? true
            return Author(
                id: ZendeskTicket.id(id), name: user?.name.flatMap(ZendeskTicket.name),
                kind: isAgent ? .agent : .customer)
        }
    }
}

/// A comment of a ticket.
struct ZendeskComment {
    let id: String
    let author: String
    let at: Timestamp
    let isPublic: Bool
    private let text: String
    private let files: [JSONElement]

    init(text: String, author: String, at time: Timestamp) {
        (id, self.text, self.author, at, isPublic, files) = ("description", text, author, time, true, [])
    }

    /// Throws ``ZendeskTicket/Fault``.
    init(_ json: JSONElement, number: Int) throws(ZendeskTicket.Fault) {
        id = json["id"]?.number ?? "c\(number)"
        author = try ZendeskTicket.number(json, "author_id")
        at = try ZendeskTicket.time(json, "created_at")
        isPublic = json["public"]?.kind != .false
        text = json["plain_body"]?.string ?? json["body"]?.string ?? ""
        files = json["attachments"]?.elements ?? []
    }

    /// Writes it as messages, or as notes. A text that is too long for one becomes several.
    func write(_ people: ZendeskTicket.People, to json: inout JSONWriter) {
        var parts = Self.parts(text)
        let names = files.compactMap { $0["file_name"]?.string }
        if parts.isEmpty { parts = [names.isEmpty ? "-" : names.joined(separator: ", ")] }
        for (index, part) in parts.enumerated() {
            json.beginObject()
            json.member("id", index == 0 ? "zendesk-\(id)" : "zendesk-\(id)-\(index + 1)")
            json.member("createdAt", at)
            json.member("author", people.author(author))
            json.member("text", part)
            if isPublic, index == 0, !files.isEmpty { writeFiles(to: &json) }
            json.endObject()
        }
    }

    private func writeFiles(to json: inout JSONWriter) {
        json.name("attachments")
        json.beginArray()
        for (index, file) in files.prefix(10).enumerated() {
            json.beginObject()
            json.member("id", "zendesk-file-\(file["id"]?.number ?? "\(id)-\(index)")")
            json.member("name", FileName.clean(file["file_name"]?.string ?? "file"))
            json.member("mimeType", FileName.cleanType(file["content_type"]?.string ?? ""))
            json.member("size", file["size"]?.number.flatMap { Int($0) }.map { max(0, $0) } ?? 0)
            json.endObject()
        }
        json.endArray()
    }

    private static func parts(_ text: String) -> [String] {
        var (parts, part, size) = ([String](), String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            let length = String(scalar).utf8.count
            if size + length > ByteBound.text.bytes {
                parts.append(String(part))
                (part, size) = (String.UnicodeScalarView(), 0)
            }
            part.append(scalar)
            size += length
        }
        if !part.isEmpty { parts.append(String(part)) }
        return parts
    }
}
