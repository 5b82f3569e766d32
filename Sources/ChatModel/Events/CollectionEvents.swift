import Formats

/// What all events about a change of a collection begin with.
public struct CollectionPlace: Sendable, Hashable {
    public var collectionID: String
    /// The collection's version after the event.
    public var version: Int64

    public init(_ collectionID: String, version: Int64) {
        self.collectionID = collectionID
        self.version = version
    }

    func encode(to json: inout JSONWriter) {
        json.member("collectionId", collectionID)
        json.member("version", version)
    }

    init(json: JSONValue) throws(ModelError) {
        collectionID = try json.requiredString("collectionId")
        version = try json.requiredInteger("version")
    }
}

/// What the collection's own stream missed has been sent. From here on it is live.
public struct CollectionReadyEvent: EventPayload {
    public static let name = "ready"

    public var place: CollectionPlace
    /// `<incarnation>-<version>`
    public var cursor: String

    public init(_ place: CollectionPlace, cursor: String) {
        self.place = place
        self.cursor = cursor
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.member("cursor", cursor)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        cursor = try json.requiredString("cursor")
    }
}

/// Where a collection stands, on a stream that carries several. The client loads the snapshot if it stands elsewhere.
public struct CollectionSyncEvent: EventPayload {
    public static let name = "collection.sync"

    public var place: CollectionPlace
    /// Names one life of the collection's view.
    public var incarnation: String

    public init(_ place: CollectionPlace, incarnation: String) {
        self.place = place
        self.incarnation = incarnation
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.member("incarnation", incarnation)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        incarnation = try json.requiredString("incarnation")
    }
}

/// Items have come into a list.
public struct CollectionInsertEvent: EventPayload {
    public static let name = "collection.insert"

    public var place: CollectionPlace
    public var content: PlacedItems

    public init(_ place: CollectionPlace, _ content: PlacedItems) {
        self.place = place
        self.content = content
    }

    public var expectedSize: Int { content.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        content.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        content = try PlacedItems(json: json)
    }
}

/// A thread has another place in its list now.
public struct CollectionMoveEvent: EventPayload {
    public static let name = "collection.move"

    public var place: CollectionPlace
    /// One item.
    public var content: PlacedItems

    public init(_ place: CollectionPlace, _ content: PlacedItems) {
        self.place = place
        self.content = content
    }

    public var expectedSize: Int { content.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        content.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        content = try PlacedItems(json: json)
    }
}

/// Items of a list, and where they stand after the event.
public struct PlacedItems: Sendable {
    public var list: CollectionList
    /// Ascending, from 0, as many as items.
    public var indices: [Int]
    public var items: [CollectionItem]

    public init(_ list: CollectionList, _ indices: [Int], _ items: [CollectionItem]) {
        self.list = list
        self.indices = indices
        self.items = items
    }

    fileprivate var expectedSize: Int { 192 + indices.count * 5 + items.byteCount }

    fileprivate func encode(to json: inout JSONWriter) {
        json.member("list", list.rawValue)
        json.name("indices")
        json.beginArray()
        for index in indices { json.value(index) }
        json.endArray()
        json.member("items", items)
    }

    fileprivate init(json: JSONValue) throws(ModelError) {
        list = try json.requiredCase("list")
        guard let numbers = json["indices"]?.array?.map(\.integer), !numbers.contains(nil) else {
            throw ModelError(member: "indices")
        }
        indices = numbers.compactMap { $0.map { Int(clamping: $0) } }
        items = try json.requiredArray("items")
    }
}

/// Items of a list have changed. They stay where they are.
public struct CollectionUpdateEvent: EventPayload {
    public static let name = "collection.update"

    public var place: CollectionPlace
    public var list: CollectionList
    public var items: [CollectionItem]
    /// Why an unsent message has changed.
    public var reason: String?

    public init(_ place: CollectionPlace, _ list: CollectionList, _ items: [CollectionItem], reason: String?) {
        self.place = place
        self.list = list
        self.items = items
        self.reason = reason
    }

    public var expectedSize: Int { 192 + items.byteCount }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.member("list", list.rawValue)
        json.member("items", items)
        json.member("reason", reason)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        list = try json.requiredCase("list")
        items = try json.requiredArray("items")
        reason = json["reason"]?.string
    }
}

/// Items have left a list.
public struct CollectionRemoveEvent: EventPayload {
    public static let name = "collection.remove"

    public var place: CollectionPlace
    public var list: CollectionList
    public var ids: [String]
    /// Of threads at the desk, as many as ids. Absent if empty.
    public var owners: [ThreadOwner]
    /// Why an unsent message has left.
    public var reason: String?

    public init(
        _ place: CollectionPlace, _ list: CollectionList, _ ids: [String], owners: [ThreadOwner], reason: String?
    ) {
        self.place = place
        self.list = list
        self.ids = ids
        self.owners = owners
        self.reason = reason
    }

    public var expectedSize: Int { 192 + ids.count * 48 + owners.count * 96 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.member("list", list.rawValue)
        json.member("ids", texts: ids)
        if !owners.isEmpty { json.member("owners", owners) }
        json.member("reason", reason)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        list = try json.requiredCase("list")
        ids = try json.requiredTexts("ids")
        owners = json["owners"] == nil ? [] : try json.requiredArray("owners")
        reason = json["reason"]?.string
    }
}

/// The message that is replied to has changed, or is gone.
public struct CollectionParentEvent: EventPayload {
    public enum Change: Sendable {
        case updated(CollectionItem)
        case removed(id: String)
    }

    public static let name = "collection.parent"

    public var place: CollectionPlace
    public var change: Change

    public init(_ place: CollectionPlace, _ change: Change) {
        self.place = place
        self.change = change
    }

    public var expectedSize: Int {
        if case .updated(let item) = change { 192 + item.json.count } else { 256 }
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        switch change {
        case .updated(let item):
            json.member("items", [item])
            json.member("reason", "updated")
        case .removed(let id):
            json.member("ids", texts: [id])
            json.member("reason", "removed")
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        place = try CollectionPlace(json: json)
        if json["items"] != nil {
            let items: [CollectionItem] = try json.requiredArray("items")
            guard let item = items.first else { throw ModelError(member: "items") }
            change = .updated(item)
        } else {
            guard let id = try json.requiredTexts("ids").first else { throw ModelError(member: "ids") }
            change = .removed(id: id)
        }
    }
}

/// Everything has left the collection. The client fetches anew.
public struct CollectionClearEvent: EventPayload {
    public static let name = "collection.clear"

    public var place: CollectionPlace

    public init(_ place: CollectionPlace) { self.place = place }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { place = try CollectionPlace(json: json) }
}

/// A new message has come, whether the collection shows it or not.
public struct CollectionNewEvent: EventPayload {
    public static let name = "collection.new"

    public var place: CollectionPlace

    public init(_ place: CollectionPlace) { self.place = place }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { place = try CollectionPlace(json: json) }
}

/// More was missed than the collection can follow. The client moves the viewpoint.
public struct CollectionHugeGapEvent: EventPayload {
    public static let name = "collection.hugeGap"

    public var place: CollectionPlace

    public init(_ place: CollectionPlace) { self.place = place }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        place.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { place = try CollectionPlace(json: json) }
}

extension [CollectionItem] {
    /// Bytes of their JSON, with commas.
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.json.count + 1 } }
}
