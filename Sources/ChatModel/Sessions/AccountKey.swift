/// Who owns threads and messages: one customer on one channel of one service.
public struct AccountKey: Sendable, Hashable {
    public var service: String
    public var channel: String
    public var customer: String

    public init(service: String, channel: String, customer: String) {
        self.service = service
        self.channel = channel
        self.customer = customer
    }
}
