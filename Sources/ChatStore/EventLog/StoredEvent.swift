import ChatModel

/// What the log stores of an event: its data, and after a line feed what the desk alone sees of the thread
/// (``ThreadTeam/members``), if there is something. JSON's text never has a line feed, as Parley writes it.
enum StoredEvent {
    private static let separator: UInt8 = 0x0A

    static func bytes(_ data: [UInt8], team: [UInt8]) -> [UInt8] { team.isEmpty ? data : data + [separator] + team }

    /// Nothing of what the desk alone sees is in the data, which goes to customers too.
    static func parts(_ stored: [UInt8]) -> (data: [UInt8], team: [UInt8]) {
        guard let place = stored.lastIndex(of: separator) else { return (stored, []) }
        return (Array(stored[..<place]), Array(stored[(place + 1)...]))
    }
}
