import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Formats
import SandboxKit
import Testing

/// What one event of the log becomes on the wire.
@Suite struct ThreadNewsTests {
    private static let ids = ClientIDs(StableIDs(seed: "test"))
    private static let bea = Agent(id: "7", name: "Bea"), cid = Agent(id: "8", name: "Cid")

    private static func thread(_ change: (inout ChatThread) -> Void = { _ in }) -> ChatThread {
        var thread = ChatThread(id: "t", createdAt: Timestamp(milliseconds: 1000), members: [])
        thread.state = .ready
        thread.contactID = "12"
        change(&thread)
        return thread
    }

    private static func types(from before: ChatThread?, to after: ChatThread) -> [String] {
        ThreadNews(after).pushes(
            since: before.map(ThreadNews.init), after, origin: PushOrigin(brandID: 1, channelID: "c"),
            queue: RoutingQueue(id: "q"), isOnline: true, ids: ids
        ).map(\.type)
    }

    @Test(
        arguments: [
            (nil, thread(), ["CaseCreated"]),
            (nil, thread { $0.contactID = nil }, []),
            (thread(), thread(), []),
            (thread(), thread { $0.name = "Other" }, []),
            (
                nil, thread { $0.queuePosition = 2 },
                ["CaseCreated", "CaseToRoutingQueueAssignmentChanged", "SetPositionInQueue"]
            ),
            (thread { $0.queuePosition = 2 }, thread { $0.queuePosition = 1 }, ["SetPositionInQueue"]),
            (thread { $0.queuePosition = 1 }, thread { $0.agent = bea }, ["CaseInboxAssigneeChanged"]),
            (thread { $0.agent = bea }, thread { $0.agent = cid }, ["CaseInboxAssigneeChanged"]),
            (thread { $0.agent = bea }, thread(), ["CaseInboxAssigneeChanged"]),
            (thread(), thread { $0.state = .closed }, ["CaseStatusChanged"]),
            (thread { $0.state = .closed }, thread { $0.state = .closed }, []),
            // The next message of a thread whose contact has ended opens another one.
            (
                thread { $0.contactClosedAt = Timestamp(milliseconds: 5) }, thread { $0.contactID = "13" },
                ["CaseCreated"]
            ),
        ] as [(ChatThread?, ChatThread, [String])])
    func onlyWhatIsNewIsTold(_ before: ChatThread?, _ after: ChatThread, _ types: [String]) {
        #expect(Self.types(from: before, to: after) == types)
    }

    @Test func aTransferNamesBothAgents() throws {
        let before = Self.thread { $0.agent = Self.bea }, after = Self.thread { $0.agent = Self.cid }
        let events = ThreadNews(after).pushes(
            since: ThreadNews(before), after, origin: PushOrigin(brandID: 1, channelID: "c"),
            queue: RoutingQueue(id: "q"),
            isOnline: true, ids: Self.ids)
        guard case .caseInboxAssigneeChanged(let data) = try #require(events.first) else { throw Wrong() }
        #expect(data.inboxAssignee?.id == "8" && data.previousInboxAssignee?.id == "7")
    }

    private struct Wrong: Error {}
}
