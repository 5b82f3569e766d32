import Formats

/// What comes in pages.
package protocol SendbirdListed: SendbirdShape {
    /// The name of its list in an answer.
    static var listName: StaticString { get }
    /// Whether a page names the next one. Messages are paged by time instead.
    static var hasNext: Bool { get }
}

extension SendbirdListed {
    package static var hasNext: Bool { true }
}

extension SendbirdUser: SendbirdListed {
    package static var listName: StaticString { "users" }
}

extension SendbirdChannel: SendbirdListed {
    package static var listName: StaticString { "channels" }
}

extension SendbirdMember: SendbirdListed {
    package static var listName: StaticString { "members" }
}

extension SendbirdPerson: SendbirdListed {
    package static var listName: StaticString { "operators" }
}

extension SendbirdMessage: SendbirdListed {
    package static var listName: StaticString { "messages" }
    package static var hasNext: Bool { false }
}

/// A page of a list: `{"users": [...], "next": ""}`.
package struct SendbirdPage<Item: SendbirdListed>: SendbirdShape {
    package var items: [Item]
    /// Asks for the next page; "" is the end.
    package var next: String
    /// The server's time, which lists of channels tell.
    package var time: UnixMilliseconds?

    package init(_ items: [Item], next: String = "", time: UnixMilliseconds? = nil) {
        (self.items, self.next, self.time) = (items, next, time)
    }

    /// Nil if one of the items cannot be read. A list without it would tell something else, as that a channel is gone. A
    /// list that is missing is empty.
    package init?(_ value: SendbirdValue) {
        guard value.isObject else { return nil }
        items = []
        if let list = value[Item.listName] {
            guard let elements = list.element.elements, elements.count <= SendbirdBound.items else { return nil }
            items = elements.compactMap { Item(SendbirdValue($0)) }
            guard items.count == elements.count else { return nil }
        }
        next = value.text("next") ?? ""
        time = value.milliseconds("ts")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member(Item.listName, items)
            if Item.hasNext { json.member("next", next) }
            json.member("ts", ifPresent: time)
        }
    }
}
