import ChatModel
import Formats

extension StreamHub {
    /// Writes the open streams as the array of `/v1/streams`, oldest first. On the loop's thread.
    func list(into json: inout JSONWriter) {
        let head = log.head
        json.beginArray()
        for source in streams.values.sorted(by: { $0.since < $1.since }) {
            json.beginObject()
            json.member("kind", source.scope.kind.rawValue)
            if !source.scope.sessions.isEmpty {
                json.name("sessions")
                json.beginArray()
                for session in source.scope.sessions { json.value(session.id) }
                json.endArray()
            }
            json.member("cursor", "\(log.epoch)-\(source.position)")
            json.member("lag", max(0, head - source.position))
            json.member("bytes", source.stream?.bytesWritten ?? 0)
            json.member("since", source.since)
            json.member("peer", source.stream?.peer.description)
            json.endObject()
        }
        json.endArray()
    }
}
