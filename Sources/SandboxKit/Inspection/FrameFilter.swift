import HTTPRouting

/// Which frames a reader wants: those to which all of its conditions apply.
struct FrameFilter: Sendable {
    private let customer: String?
    private let socket: Int?
    private let direction: SandboxFrame.Direction?
    private let event: String?

    static let query = ["customer", "socket", "direction", "event"]

    /// Throws `invalidParameter`.
    init(_ query: QueryReader) throws(Problem) {
        customer = try query.identifier("customer")
        socket = try query.number("socket", in: 1...Int.max)
        direction =
            query["direction"] == nil ? nil : try query.choice("direction", default: SandboxFrame.Direction.toSandbox)
        event = try query.text("event", length: 1...64)
    }

    /// An event's answer is wanted with it.
    func wants(_ frame: SandboxFrame) -> Bool {
        (customer == nil || frame.customer == customer) && (socket == nil || frame.socket == socket)
            && (direction == nil || frame.direction == direction)
            && (event == nil || frame.type == event || frame.asked == event)
    }
}
