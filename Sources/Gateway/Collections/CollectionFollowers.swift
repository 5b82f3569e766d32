import Chat

/// Who follows which collections; for the loop's thread only, as ``StreamHub`` which holds it.
struct CollectionFollowers {
    private var byCollection: [ObjectIdentifier: [ObjectIdentifier: any CollectionFollower]] = [:]
    private var byOwner: [CollectionOwner: [ObjectIdentifier: any CollectionFollower]] = [:]

    mutating func add(_ follower: any CollectionFollower, to collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection), default: [:]][ObjectIdentifier(follower)] = follower
    }

    mutating func remove(_ follower: any CollectionFollower, from collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection)]?[ObjectIdentifier(follower)] = nil
        if byCollection[ObjectIdentifier(collection)]?.isEmpty == true { byCollection[ObjectIdentifier(collection)] = nil }
    }

    /// Follows the collections that an owner will yet make.
    mutating func add(_ follower: any CollectionFollower, to owner: CollectionOwner) {
        byOwner[owner, default: [:]][ObjectIdentifier(follower)] = follower
    }

    mutating func remove(_ follower: any CollectionFollower, from owner: CollectionOwner) {
        byOwner[owner]?[ObjectIdentifier(follower)] = nil
        if byOwner[owner]?.isEmpty == true { byOwner[owner] = nil }
    }

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

/// A stream that writes collections' events. Called on the loop's thread.
protocol CollectionFollower: AnyObject {
    func added(_ collection: LiveCollection)
    func changed(_ collection: LiveCollection)
    func removed(_ collection: LiveCollection)
}
