import ChatModel
import ChatStore

/// What a session tells of itself: live only, to its own streams.
extension SessionConnection {
    func publishState() {
        let event = ChatUpdatedEvent(
            state: machine.state, mode: machine.mode, connectionError: machine.error.map { Failure($0) },
            nextAttemptAt: nextAttemptAt)
        store.feed.publish(event, to: [.session(id)])
    }

    func publishThreadsLoaded(_ count: Int) {
        store.feed.publish(ThreadsLoadedEvent(count: count), to: [.session(id)])
    }

    func publish(_ error: ChatError) {
        store.feed.publish(ErrorEvent(error), to: [.session(id)])
    }
}
