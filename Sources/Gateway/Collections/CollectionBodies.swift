import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// `{"kind":"messages","threadId","filter"?,"viewpoint"?,"limit"?,"capacity"?,"parentId"?,"holder"?}` or
/// `{"kind":"threads","query"?,"capacity"?,"holder"?}`
struct NewCollection: RequestBody {
    fileprivate enum Kind: String, CaseIterable { case threads, messages }

    let definition: CollectionDefinition

    init(reading object: inout ObjectReader) {
        definition = object.collection { object in
            let body = object.object(object.optional("query"), "query", as: ThreadQueryBody.self)
            return (body?.query ?? ThreadQuery(), body?.limit)
        }
    }
}

/// The same with `channel` and `customer` beside `threadId`, which say whose thread it is, and other filters of threads.
struct NewDeskCollection: RequestBody {
    let definition: CollectionDefinition
    /// Nil for a collection of threads.
    let thread: DeskThread?

    init(reading object: inout ObjectReader) {
        definition = object.collection { object in
            let body = object.object(object.optional("query"), "query", as: DeskThreadQueryBody.self)
            return (body?.query ?? ThreadQuery(), body?.limit)
        }
        thread = if let id = definition.thread {
            DeskThread(id: id, channel: object.optionalID("channel"), customer: object.optionalID("customer"))
        } else {
            nil
        }
    }
}

extension ObjectReader {
    /// What both have in common.
    ///
    /// - Parameter threads: reads the query of a collection of threads, and the rows of its page.
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
        // Without a kind nobody knows what the other members mean.
        let thread = kind == nil ? optionalID("threadId") ?? "" : requiredID("threadId")
        if kind == nil { _ = optional("query") }
        var filter = object(optional("filter"), "filter", as: MessageFilterBody.self)?.filter ?? MessageFilter()
        filter.parentID = optionalID("parentId")
        return CollectionDefinition(
            .messages(thread: thread, filter, viewpoint: optionalViewpoint("viewpoint")),
            limit: optionalInteger("limit", in: CollectionDefinition.limits), capacity: capacity, holder: holder)
    }
}

/// `{"limit"?,"state"?,"channel"?}`
private struct DeskThreadQueryBody: RequestBody {
    let query: ThreadQuery
    let limit: Int?

    init(reading object: inout ObjectReader) {
        limit = object.optionalInteger("limit", in: CollectionDefinition.limits)
        query = ThreadQuery(
            state: object.optionalChoice("state", of: ThreadFilter.allCases) ?? .all, channel: object.optionalID("channel"))
    }
}

/// `{"type"?,"customTypes"?,"senderIds"?}`
private struct MessageFilterBody: RequestBody {
    let filter: MessageFilter

    init(reading object: inout ObjectReader) {
        filter = MessageFilter(
            kind: object.optionalChoice("type", of: MessageFilter.Kind.allCases) ?? .all,
            customTypes: object.optionalStrings("customTypes"), senderIDs: object.optionalStrings("senderIds"))
    }
}

/// `{"limit"?,"order"?,"state"?,"customTypes"?,"includeEmpty"?,"unreadOnly"?,"nameContains"?,"memberState"?,"hidden"?}`
private struct ThreadQueryBody: RequestBody {
    let query: ThreadQuery
    let limit: Int?

    init(reading object: inout ObjectReader) {
        limit = object.optionalInteger("limit", in: CollectionDefinition.limits)
        query = ThreadQuery(
            order: object.optionalChoice("order", of: ThreadQuery.Order.allCases) ?? .latestLastMessage,
            state: object.optionalChoice("state", of: ThreadFilter.allCases) ?? .all,
            customTypes: object.optionalStrings("customTypes"), includesEmpty: object.optionalBool("includeEmpty") ?? true,
            unreadOnly: object.optionalBool("unreadOnly") ?? false,
            nameContains: object.optionalString("nameContains", length: 1...256),
            memberState: object.optionalChoice("memberState", of: MemberState.allCases),
            visibility: object.optionalChoice("hidden", of: ThreadQuery.Visibility.allCases) ?? .unhidden)
    }
}

/// `{"direction":"previous"|"next"}`
struct FetchBody: RequestBody {
    let direction: FetchDirection?

    init(reading object: inout ObjectReader) { direction = object.requiredChoice("direction", of: FetchDirection.allCases) }
}

/// `{"viewpoint"?}`: absent is the newest.
struct ViewpointBody: RequestBody {
    let viewpoint: Timestamp?

    init(reading object: inout ObjectReader) { viewpoint = object.optionalViewpoint("viewpoint") }
}

extension ObjectReader {
    /// 1 to 100 strings.
    mutating func optionalStrings(_ name: String) -> Set<String>? {
        guard let value = optional(name) else { return nil }
        let strings = value.array?.compactMap(\.string).filter { (1...128).contains($0.unicodeScalars.count) }
        guard let strings, strings.count == value.array?.count, (1...100).contains(strings.count) else {
            reject(name, "an array of 1 to 100 strings of 1 to 128 characters was expected")
            return nil
        }
        return Set(strings)
    }

    /// Milliseconds since 1970, or RFC 3339. Any integer is taken: what lies beyond the last time there is means the newest, which
    /// is nil; what lies before 1970 is its first moment.
    mutating func optionalViewpoint(_ name: String) -> Timestamp? {
        guard let value = optional(name) else { return nil }
        let number: Double? = switch value {
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
