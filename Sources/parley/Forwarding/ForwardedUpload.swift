import Chat
import MicroHTTP
import Synchronization

/// The body of a request that is passed on while it comes. What the active gateway has not taken yet is bounded: until
/// then the client waits.
final class ForwardedUpload: BodySink {
    /// The body ended before it was whole.
    struct Abandoned: Error {}

    private struct State {
        var bytes: [UInt8] = []
        var isWhole = false
        var isAbandoned = false
        /// The answer is there: nobody wants the rest.
        var isDropped = false
        var isPaused = false
        /// Whoever waits for bytes.
        var news: Answer<Void>?
    }

    private let state = Mutex(State())
    private let flow: BodyFlow
    /// In bytes.
    private static let limit = 256 << 10

    init(_ flow: BodyFlow) { self.flow = flow }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        let (demand, news) = state.withLock { state -> (BodyDemand, Answer<Void>?) in
            if state.isDropped { return (.more, nil) }
            state.bytes.append(contentsOf: bytes)
            state.isPaused = state.bytes.count > Self.limit
            defer { state.news = nil }
            return (state.isPaused ? .pause : .more, state.news)
        }
        news?.resolve(())
        return demand
    }

    func abandoned() { change { $0.isAbandoned = true } }

    /// The last byte has come.
    func complete() { change { $0.isWhole = true } }

    /// What comes from now on goes nowhere.
    func drop() {
        change { state in
            state.isDropped = true
            state.bytes = []
        }
        flow.resume()
    }

    /// The next bytes; nil at the end. Throws ``Abandoned``.
    func next() async throws -> [UInt8]? {
        while true {
            let (bytes, isPaused, news) = try state.withLock { state -> ([UInt8]?, Bool, Answer<Void>?) in
                if state.isAbandoned || state.isDropped { throw Abandoned() }
                if state.bytes.isEmpty {
                    if state.isWhole { return (nil, false, nil) }
                    let news = Answer<Void>()
                    state.news = news
                    return (nil, false, news)
                }
                defer {
                    state.bytes = []
                    state.isPaused = false
                }
                return (state.bytes, state.isPaused, nil)
            }
            if isPaused { flow.resume() }
            guard let news else { return bytes }
            await news.value()
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let news = state.withLock { state in
            body(&state)
            defer { state.news = nil }
            return state.news
        }
        news?.resolve(())
    }
}
