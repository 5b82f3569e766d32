import Chat

/// The streams that follow collections, by collection and by owner. For the loop's thread only, like ``StreamHub``,
/// which holds it. It holds its followers strongly, so a stream must remove itself when it closes.
struct CollectionFollowers {
    private var byCollection: [ObjectIdentifier: [ObjectIdentifier: any CollectionFollower]] = [:]
    private var byOwner: [CollectionOwner: [ObjectIdentifier: any CollectionFollower]] = [:]

    /// Lets a stream hear of changes of a collection. Adding it twice has no further effect.
    mutating func add(_ follower: any CollectionFollower, to collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection), default: [:]][ObjectIdentifier(follower)] = follower
    }

    /// Ends the changes of one collection; the owner's new collections still come.
    mutating func remove(_ follower: any CollectionFollower, from collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection)]?[ObjectIdentifier(follower)] = nil
        if byCollection[ObjectIdentifier(collection)]?.isEmpty == true {
            byCollection[ObjectIdentifier(collection)] = nil
        }
    }

    /// Lets a stream hear of the collections that an owner creates from now on.
    mutating func add(_ follower: any CollectionFollower, to owner: CollectionOwner) {
        byOwner[owner, default: [:]][ObjectIdentifier(follower)] = follower
    }

    /// Ends the news of created collections; those that are followed already go on.
    mutating func remove(_ follower: any CollectionFollower, from owner: CollectionOwner) {
        byOwner[owner]?[ObjectIdentifier(follower)] = nil
        if byOwner[owner]?.isEmpty == true { byOwner[owner] = nil }
    }

    /// Passes on a change: new collections go to the owner's followers, everything else to the collection's own
    /// followers.
    func tell(_ news: Collections.News) {
        switch news {
        case .added(let collection):
            for follower in (byOwner[collection.owner] ?? [:]).values { follower.added(collection) }
        case .changed(let collections):
            for collection in collections {
                guard let followers = byCollection[ObjectIdentifier(collection)] else { continue }
                for follower in followers.values { follower.changed(collection) }
            }
        case .removed(let collection):
            for follower in (byCollection[ObjectIdentifier(collection)] ?? [:]).values { follower.removed(collection) }
        }
    }
}

/// A stream that writes the events of collections. Called on the loop's thread.
protocol CollectionFollower: AnyObject {
    /// An owner that the stream follows has created a collection.
    func added(_ collection: LiveCollection)
    /// The collection has new events. The stream reads them when it is filled.
    func changed(_ collection: LiveCollection)
    /// The collection was removed; its last events may be unwritten.
    func removed(_ collection: LiveCollection)
}
