import ChatModel
import ChatStore
import Formats

/// What a session tells of itself: live only, to its own streams.
extension SessionConnection {
    func publishState() {
        var json = JSONWriter()
        json.beginObject()
        json.member("state", machine.state.rawValue)
        json.member("mode", machine.mode.rawValue)
        json.connection(error: machine.error, nextAttemptAt: nextAttemptAt)
        json.endObject()
        store.feed.publish(.chatUpdated, data: json.bytes, to: [.session(id)])
    }

    func publishThreadsLoaded(_ count: Int) {
        var json = JSONWriter()
        json.beginObject()
        json.member("count", count)
        json.endObject()
        store.feed.publish(.threadsLoaded, data: json.bytes, to: [.session(id)])
    }

    func publish(_ error: ChatError) {
        var json = JSONWriter()
        json.beginObject()
        json.member("code", error.code.rawValue)
        json.member("detail", error.detail)
        if error.isSoft { json.member("soft", true) }
        json.endObject()
        store.feed.publish(.error, data: json.bytes, to: [.session(id)])
    }
}
