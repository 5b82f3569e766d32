import Chat
import ChatModel
import Formats
import MicroHTTP

/// A collection's event as bytes: the items are shared, only what differs from collection to collection is written.
struct CollectionFrame {
    /// `"collectionId":"..","version":`
    private let head: [UInt8]
    private let incarnation: [UInt8]

    init(_ collection: LiveCollection) {
        var json = JSONWriter(reservingCapacity: 96)
        json.beginObject()
        json.member("collectionId", collection.id)
        json.endObject()
        head = json.bytes.dropFirst().dropLast() + Array(",\"version\":".utf8)
        incarnation = Array("\(collection.incarnation)-".utf8)
    }

    /// Appends an event if there is room for it.
    ///
    /// - Parameters:
    ///   - hasID: on the collection's own stream.
    ///   - concerns: members that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    func append(_ event: CollectionEvent, hasID: Bool, concerns: [UInt8] = [], to out: inout EventBuffer) -> Bool {
        guard out.room(for: size(of: event.change) + concerns.count) else { return false }
        if hasID {
            out.append("id: ")
            out.append(incarnation)
            out.append(number: event.version)
            out.append("\n")
        }
        out.append("event: collection.")
        out.append(event.change.name)
        out.append("\ndata: {")
        if !concerns.isEmpty {
            out.append(concerns)
            out.append(",")
        }
        out.append(head)
        out.append(number: event.version)
        switch event.change {
        case .insert(let list, let indices, let items):
            out.append(list)
            out.append(indices)
            out.append(items)
        case .update(let list, let items, let reason):
            out.append(list)
            out.append(items)
            out.append(reason: reason)
        case .remove(let list, let ids, let reason, let owners):
            out.append(list)
            out.append(ids)
            out.append(owners)
            out.append(reason: reason)
        case .move(let index, let item):
            out.append(.succeeded)
            out.append([index])
            out.append([item])
        case .clear, .new, .hugeGap: break
        case .parentUpdated(let item):
            out.append([item])
            out.append(reason: "updated")
        case .parentRemoved(let id):
            out.append([id])
            out.append(reason: "removed")
        }
        out.append("}\n\n")
        return true
    }

    /// At least as many bytes as the event has.
    private func size(of change: CollectionChange) -> Int {
        let fixed = 192 + head.count + incarnation.count
        switch change {
        case .insert(_, let indices, let items): return items.reduce(fixed + indices.count * 5) { $0 + $1.json.count + 1 }
        case .update(_, let items, let reason): return items.reduce(fixed + (reason?.utf8.count ?? 0)) { $0 + $1.json.count + 1 }
        case .remove(_, let ids, let reason, let owners):
            let named = ids.reduce(fixed + (reason?.utf8.count ?? 0)) { $0 + 2 * $1.utf8.count + 3 }
            return owners.reduce(named) { $0 + 2 * ($1.channel.utf8.count + $1.customer.utf8.count) + 32 }
        case .move(_, let item), .parentUpdated(let item): return fixed + item.json.count
        case .parentRemoved(let id): return fixed + 2 * id.utf8.count
        case .clear, .new, .hugeGap: return fixed
        }
    }
}

extension EventBuffer {
    fileprivate mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate mutating func append(number: Int64) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { digits in
            var position = digits.count
            var rest = number
            repeat {
                position -= 1
                digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[position...]))
        }
    }

    fileprivate mutating func append(_ list: CollectionList) {
        switch list {
        case .succeeded: append(",\"list\":\"succeeded\"" as StaticString)
        case .pending: append(",\"list\":\"pending\"" as StaticString)
        case .failed: append(",\"list\":\"failed\"" as StaticString)
        }
    }

    fileprivate mutating func append(_ indices: [Int]) {
        append(",\"indices\":[" as StaticString)
        for (count, index) in indices.enumerated() {
            if count > 0 { append("," as StaticString) }
            append(number: Int64(index))
        }
        append("]" as StaticString)
    }

    fileprivate mutating func append(_ items: [CollectionItem]) {
        append(",\"items\":[" as StaticString)
        for (count, item) in items.enumerated() {
            if count > 0 { append("," as StaticString) }
            append(item.json)
        }
        append("]" as StaticString)
    }

    fileprivate mutating func append(_ ids: [String]) {
        var json = JSONWriter(reservingCapacity: ids.count * 40 + 2)
        json.beginArray()
        for id in ids { json.value(id) }
        json.endArray()
        append(",\"ids\":" as StaticString)
        append(json.bytes)
    }

    fileprivate mutating func append(_ owners: [ThreadOwner]) {
        guard !owners.isEmpty else { return }
        var json = JSONWriter(reservingCapacity: owners.count * 64 + 2)
        json.beginArray()
        for owner in owners {
            json.beginObject()
            json.member("channel", owner.channel)
            json.member("customer", owner.customer)
            json.endObject()
        }
        json.endArray()
        append(",\"owners\":" as StaticString)
        append(json.bytes)
    }

    fileprivate mutating func append(reason: String?) {
        guard let reason else { return }
        var json = JSONWriter(reservingCapacity: 32)
        json.value(reason)
        append(",\"reason\":" as StaticString)
        append(json.bytes)
    }
}
