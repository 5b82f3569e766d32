import ChatModel
import ChatStore

extension ReadTransaction {
    /// All sessions whose account exists, oldest first.
    public func sessions() throws -> [SessionRecord] {
        try sessionPage(SessionFilter(), PageRequest(limit: 10_000, cursor: nil)).items.map(\.session)
    }
}
