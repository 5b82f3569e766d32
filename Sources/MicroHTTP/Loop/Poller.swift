import CMicroHTTPD
import Glibc

/// The loop's epoll. Each descriptor is registered with a token that says whose event it is. For the loop's thread
/// only.
struct Poller: ~Copyable {
    /// Whose event it is.
    enum Token {
        case mailbox
        case listener(Int)
        case daemon(Int)
        case stream(StreamName)
        case lingering(Int32)
        /// A connection whose body a sink takes, by its descriptor.
        case body(Int32)

        fileprivate var raw: UInt64 {
            switch self {
            case .mailbox: 0
            case .listener(let index): 1 << 60 | UInt64(index)
            case .daemon(let index): 2 << 60 | UInt64(index)
            // 28 bits of the generation are enough: an event would have to wait in a batch while its slot got 2^28
            // other streams.
            case .stream(let name):
                3 << 60 | UInt64(name.generation & 0xfff_ffff) << 32 | UInt64(UInt32(bitPattern: name.slot))
            case .lingering(let descriptor): 4 << 60 | UInt64(UInt32(bitPattern: descriptor))
            case .body(let descriptor): 5 << 60 | UInt64(UInt32(bitPattern: descriptor))
            }
        }

        fileprivate init(raw: UInt64) {
            switch raw >> 60 {
            case 1: self = .listener(Int(raw & 0xffff_ffff))
            case 2: self = .daemon(Int(raw & 0xffff_ffff))
            case 3:
                self = .stream(
                    StreamName(
                        slot: Int32(truncatingIfNeeded: raw),
                        generation: UInt32(truncatingIfNeeded: raw >> 32) & 0xfff_ffff))
            case 4: self = .lingering(Int32(truncatingIfNeeded: raw))
            case 5: self = .body(Int32(truncatingIfNeeded: raw))
            default: self = .mailbox
            }
        }
    }

    /// The events to wait for, and the events that happened.
    struct Interest: OptionSet {
        let rawValue: UInt32
        static let read = Interest(rawValue: EPOLLIN.rawValue)
        static let write = Interest(rawValue: EPOLLOUT.rawValue)
        /// The peer closed its end. Errors and hang-ups are always reported.
        static let gone = Interest(rawValue: EPOLLRDHUP.rawValue)
        /// Reported always; to ask for it has no effect.
        static let broken = Interest(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    private let descriptor: Int32
    private let capacity = 512
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(ServerError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
        events = .allocate(capacity: capacity)
        events.initialize(repeating: epoll_event(), count: capacity)
    }

    deinit {
        events.deallocate()
        close(descriptor)
    }

    /// Registers a socket; level-triggered. False when the kernel refuses, for example for lack of memory.
    @discardableResult
    func add(_ socket: Int32, _ token: Token, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, socket, token, interest)
    }

    /// Replaces token and interest of a registered socket. False when it is not registered.
    @discardableResult
    func change(_ socket: Int32, _ token: Token, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_MOD, socket, token, interest)
    }

    /// Ends the registration; must come before the descriptor is closed, or a duplicate would keep it. Does
    /// nothing if there is none.
    func remove(_ socket: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, &event)
    }

    private func control(_ operation: Int32, _ socket: Int32, _ token: Token, _ interest: Interest) -> Bool {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = token.raw
        return epoll_ctl(descriptor, operation, socket, &event) == 0
    }

    /// Waits for events, and returns how many there are, 512 at most; read them by ``event(at:)``. 0 also for an
    /// interrupted wait.
    ///
    /// - Parameter milliseconds: 0 does not wait.
    func wait(milliseconds: Int32) -> Int {
        max(0, Int(epoll_wait(descriptor, events, Int32(capacity), milliseconds)))
    }

    /// An event of the last ``wait(milliseconds:)``. A stream's name has only the lower 28 bits of its generation.
    func event(at index: Int) -> (Token, Interest) {
        (Token(raw: events[index].data.u64), Interest(rawValue: events[index].events))
    }
}
