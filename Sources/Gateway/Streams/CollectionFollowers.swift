import Chat

/// Who follows which collections; for the loop's thread only, as ``StreamHub`` which holds it.
struct CollectionFollowers {
    private var byCollection: [ObjectIdentifier: [ObjectIdentifier: any CollectionFollower]] = [:]
    private var bySession: [String: [ObjectIdentifier: any CollectionFollower]] = [:]

    mutating func add(_ follower: any CollectionFollower, to collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection), default: [:]][ObjectIdentifier(follower)] = follower
    }

    mutating func remove(_ follower: any CollectionFollower, from collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection)]?[ObjectIdentifier(follower)] = nil
        if byCollection[ObjectIdentifier(collection)]?.isEmpty == true { byCollection[ObjectIdentifier(collection)] = nil }
    }

    /// Follows the collections that a session will yet make.
    mutating func add(_ follower: any CollectionFollower, toSession id: String) {
        bySession[id, default: [:]][ObjectIdentifier(follower)] = follower
    }

    mutating func remove(_ follower: any CollectionFollower, fromSession id: String) {
        bySession[id]?[ObjectIdentifier(follower)] = nil
        if bySession[id]?.isEmpty == true { bySession[id] = nil }
    }

    func tell(_ news: Collections.News) {
        switch news {
        case .added(let collection):
            for follower in (bySession[collection.session] ?? [:]).values { follower.added(collection) }
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
