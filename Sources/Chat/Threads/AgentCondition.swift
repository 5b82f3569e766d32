/// Whose a thread must be, so that what an agent asks for is done: several agents and programs may work at one desk.
public enum AgentCondition: String, Sendable, CaseIterable {
    /// A claim that only the first one wins.
    case nobodys = "none"
    /// That of the agent who acts.
    case mine = "me"
    case mineOrNobodys = "meOrNone"
}
