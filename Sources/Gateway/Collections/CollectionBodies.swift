import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// A new collection of a session. It is one of two kinds:
/// - `{"kind":"messages","threadId","filter"?,"viewpoint"?,"limit"?,"capacity"?,"parentId"?,"holder"?,"firstPage"?}`
/// - `{"kind":"threads","query"?,"capacity"?,"holder"?,"firstPage"?}`
struct NewCollection: RequestBody {
    fileprivate enum Kind: String, CaseIterable { case threads, messages }

    /// What the collection shows. With `parentId` it shows the replies to that message.
    let definition: CollectionDefinition
    /// Whether the answer shows the first page.
    let hasFirstPage: Bool

    init(reading object: inout ObjectReader) {
        hasFirstPage = object.optionalBool("firstPage") ?? false
        definition = object.collection { object in
            let body = object.object(object.optional("query"), "query", as: ThreadQueryBody.self)
            return (body?.query ?? ThreadQuery(), body?.limit)
        }
    }
}

/// The same at the desk: `channel` and `customer` beside `threadId` say whose thread it is, and threads have other
/// filters.
struct NewDeskCollection: RequestBody {
    let definition: CollectionDefinition
    /// The thread whose messages are shown; nil for a collection of threads.
    let thread: DeskThread?
    let hasFirstPage: Bool

    init(reading object: inout ObjectReader) {
        hasFirstPage = object.optionalBool("firstPage") ?? false
        definition = object.collection { object in
            let body = object.object(object.optional("query"), "query", as: DeskThreadQueryBody.self)
            return (body?.query ?? ThreadQuery(), body?.limit)
        }
        thread =
            if let id = definition.thread {
                DeskThread(id: id, channel: object.optionalID("channel"), customer: object.optionalID("customer"))
            } else {
                nil
            }
    }
}

extension ObjectReader {
    /// Reads what both bodies have in common.
    ///
    /// - Parameter threads: reads the query of a collection of threads, and the number of rows of its page.
    fileprivate mutating func collection(
        threads: (inout ObjectReader) -> (query: ThreadQuery, limit: Int?)
    ) -> CollectionDefinition {
        let kind = requiredChoice("kind", of: NewCollection.Kind.allCases)
        let capacity = optionalInteger("capacity", in: CollectionDefinition.capacities)
        let holder = optionalID("holder")
        if kind == .threads {
            let (query, limit) = threads(&self)
            return CollectionDefinition(.threads(query), limit: limit, capacity: capacity, holder: holder)
        }
        // Without a kind the other members have no meaning, so they are accepted and only the kind is reported.
        let thread = kind == nil ? optionalID("threadId") ?? "" : requiredID("threadId")
        if kind == nil { _ = optional("query") }
        var filter = object(optional("filter"), "filter", as: MessageFilterBody.self)?.filter ?? MessageFilter()
        filter.parentID = optionalID("parentId")
        return CollectionDefinition(
            .messages(thread: thread, filter, viewpoint: optionalViewpoint("viewpoint")),
            limit: optionalInteger("limit", in: CollectionDefinition.limits), capacity: capacity, holder: holder)
    }
}

/// `{"limit"?,"state"?,"channel"?,"agent"?,"unassigned"?,"waiting"?,"customer"?,"nameContains"?,
/// "customTypePrefix"?,"members"?,"tag"?,"snoozed"?,"order"?}`: which threads the desk's collection shows.
private struct DeskThreadQueryBody: RequestBody {
    let query: ThreadQuery
    let limit: Int?

    init(reading object: inout ObjectReader) {
        limit = object.optionalInteger("limit", in: CollectionDefinition.limits)
        query = ThreadQuery(
            state: object.optionalChoice("state", of: ThreadFilter.allCases) ?? .all,
            nameContains: object.optionalString("nameContains", length: 1...256),
            customTypePrefix: object.optionalKey("customTypePrefix", length: 1...128),
            members: object.optionalStrings("members", most: ThreadQuery.memberLimit) ?? [],
            channel: object.optionalID("channel"),
            desk: DeskConditions(
                agent: object.optionalID("agent"), isUnassigned: object.optionalBool("unassigned") ?? false,
                isWaiting: object.optionalBool("waiting") ?? false, customer: object.optionalID("customer"),
                tag: object.optionalID("tag"),
                snoozed: object.optionalChoice("snoozed", of: SnoozeFilter.allCases) ?? .include,
                order: object.optionalChoice("order", of: DeskConditions.Order.allCases) ?? .activity))
    }
}

/// `{"type"?,"customTypes"?,"senderIds"?}`: which messages a collection shows; all by default.
private struct MessageFilterBody: RequestBody {
    let filter: MessageFilter

    init(reading object: inout ObjectReader) {
        filter = MessageFilter(
            kind: object.optionalChoice("type", of: MessageFilter.Kind.allCases) ?? .all,
            customTypes: object.optionalStrings("customTypes"), senderIDs: object.optionalStrings("senderIds"))
    }
}

/// Which threads a session's collection shows, and in which order.
///
/// The shape is `{"limit"?,"order"?,"state"?,"customTypes"?,"includeEmpty"?,
/// "unreadOnly"?,"nameContains"?,"memberState"?,"customTypePrefix"?,"members"?,"hidden"?}`.
private struct ThreadQueryBody: RequestBody {
    /// By default all threads that are not hidden, the one with the latest message first, empty ones included.
    let query: ThreadQuery
    /// Rows of a page, 1 to 200; nil for the default.
    let limit: Int?

    init(reading object: inout ObjectReader) {
        limit = object.optionalInteger("limit", in: CollectionDefinition.limits)
        query = ThreadQuery(
            order: object.optionalChoice("order", of: ThreadQuery.Order.allCases) ?? .latestLastMessage,
            state: object.optionalChoice("state", of: ThreadFilter.allCases) ?? .all,
            customTypes: object.optionalStrings("customTypes"),
            includesEmpty: object.optionalBool("includeEmpty") ?? true,
            unreadOnly: object.optionalBool("unreadOnly") ?? false,
            nameContains: object.optionalString("nameContains", length: 1...256),
            memberState: object.optionalChoice("memberState", of: MemberState.allCases),
            customTypePrefix: object.optionalKey("customTypePrefix", length: 1...128),
            members: object.optionalStrings("members", most: ThreadQuery.memberLimit) ?? [],
            visibility: object.optionalChoice("hidden", of: ThreadQuery.Visibility.allCases) ?? .unhidden)
    }
}

/// `{"direction":"previous"|"next"}`: the end at which the collection is to load more rows.
struct FetchBody: RequestBody {
    /// Nil only if a fault was reported.
    let direction: FetchDirection?

    init(reading object: inout ObjectReader) {
        direction = object.requiredChoice("direction", of: FetchDirection.allCases)
    }
}

/// `{"viewpoint"?}`: the time at which the collection is to begin anew; without it, the newest message.
struct ViewpointBody: RequestBody {
    let viewpoint: Timestamp?

    init(reading object: inout ObjectReader) { viewpoint = object.optionalViewpoint("viewpoint") }
}

extension ObjectReader {
    /// An array of 1 to `most` strings, each of 1 to 128 Unicode code points; nil when the member is missing. Duplicates
    /// are dropped.
    fileprivate mutating func optionalStrings(_ name: String, most: Int = 100) -> Set<String>? {
        guard let value = optional(name) else { return nil }
        let strings = value.array?.compactMap(\.string).filter {
            (1...128).contains($0.unicodeScalars.count) && !$0.utf8.contains(0)
        }
        guard let strings, strings.count == value.array?.count, (1...most).contains(strings.count) else {
            reject(name, "an array of 1 to \(most) strings of 1 to 128 characters, none of them U+0000, was expected")
            return nil
        }
        return Set(strings)
    }

    /// A time: milliseconds since 1970, or a text as in RFC 3339; nil when the member is missing.
    ///
    /// Every whole number is accepted. One after the year 9999 gives nil, which means the newest; one before 1970 gives
    /// the beginning of 1970.
    fileprivate mutating func optionalViewpoint(_ name: String) -> Timestamp? {
        guard let value = optional(name) else { return nil }
        let number: Double? =
            switch value {
            case .number(let number) where number.rounded() == number: number
            default: value.integer.map(Double.init)
            }
        if let number {
            if number > 253_402_300_799_999 { return nil }
            return Timestamp(milliseconds: value.wholeNumber.map { max(0, $0) } ?? 0)
        }
        if let time = value.string.flatMap(Timestamp.init(rfc3339:)) { return max(time, Timestamp(milliseconds: 0)) }
        reject(name, "a time was expected: milliseconds since 1970, or RFC 3339")
        return nil
    }
}
