import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

extension EventBuffer {
    /// Appends an event of a collection if there is room for it.
    ///
    /// - Parameters:
    ///   - hasID: true on the collection's own stream, where events have ids `<incarnation>-<version>`. On other
    ///     streams an id would be taken for a position in the log.
    ///   - concerns: members that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    mutating func append(
        _ event: CollectionEvent, of collection: LiveCollection, hasID: Bool = false, concerns: [UInt8] = [],
        as framing: EventFraming
    ) -> Bool {
        let place = collection.place(at: event.version)
        let id = hasID ? collection.eventID(at: event.version) : []
        return switch event.change {
        case .insert(let list, let indices, let items):
            append(
                CollectionInsertEvent(place, PlacedItems(list, indices, items)), id: id, concerns: concerns, as: framing
            )
        case .update(let list, let items, let reason):
            append(CollectionUpdateEvent(place, list, items, reason: reason), id: id, concerns: concerns, as: framing)
        case .remove(let list, let ids, let reason, let owners):
            append(
                CollectionRemoveEvent(place, list, ids, owners: owners, reason: reason), id: id, concerns: concerns,
                as: framing)
        case .move(let index, let item):
            append(
                CollectionMoveEvent(place, PlacedItems(.succeeded, [index], [item])), id: id, concerns: concerns,
                as: framing)
        case .clear: append(CollectionClearEvent(place), id: id, concerns: concerns, as: framing)
        case .new: append(CollectionNewEvent(place), id: id, concerns: concerns, as: framing)
        case .hugeGap: append(CollectionHugeGapEvent(place), id: id, concerns: concerns, as: framing)
        case .parentUpdated(let item):
            append(CollectionParentEvent(place, .updated(item)), id: id, concerns: concerns, as: framing)
        case .parentRemoved(let parent):
            append(CollectionParentEvent(place, .removed(id: parent)), id: id, concerns: concerns, as: framing)
        }
    }
}

extension LiveCollection {
    /// The id and version by which an event names its collection.
    func place(at version: Int64) -> CollectionPlace { CollectionPlace(id, version: version) }

    /// `<incarnation>-<version>`. Interpolating the text would take longer than writing the rest of a small event.
    fileprivate func eventID(at version: Int64) -> [UInt8] {
        var id: [UInt8] = []
        id.reserveCapacity(incarnation.utf8.count + 20)
        id.append(contentsOf: incarnation.utf8)
        id.append(UInt8(ascii: "-"))
        id.append(contentsOf: String(version).utf8)
        return id
    }
}
