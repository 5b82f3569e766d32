/// Why nothing is sent to an address, as a ``ConnectionJudge`` says it. The sentence names the host at most: no path, no
/// query.
public struct AddressRefusal: Error, Sendable, Equatable {
    public let detail: String

    public init(_ detail: String) { self.detail = detail }
}
