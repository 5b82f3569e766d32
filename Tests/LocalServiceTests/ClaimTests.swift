import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// Agents and programs who want the same thread: what is only done while it is theirs, or in the version that they saw.
@Suite struct ClaimTests {
    private static let thread = DeskThread(id: "t1")
    private static let bo = Agent(id: "bo", name: "Bo")
    private static let eve = Agent(id: "eve", name: "Eve")

    private func run(_ body: (Local) async throws -> Void) async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("q1", to: "t1")
            try await body(local)
        }
    }

    private func claim(
        _ local: Local, _ agent: Agent, _ condition: AgentCondition, version: Int64? = nil
    ) async -> ChatError.Code? {
        await refusal {
            _ = try await local.desk.assign(
                agent, to: Self.thread, if: condition, ifMatch: version, receipt: nil)
        }
    }

    @Test func ofTenWhoClaimAThreadOneGetsIt() async throws {
        try await run { local in
            let codes = await withTaskGroup(of: ChatError.Code?.self) { group in
                for number in 0..<10 {
                    group.addTask { await claim(local, Agent(id: "a\(number)"), .nobodys) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.filter { $0 == .assignedToAnother }.count == 9)
        }
    }

    @Test func aConditionSaysWhoseTheThreadMustBe() async throws {
        try await run { local in
            #expect(await claim(local, Self.bo, .mine) == .assignedToAnother)
            #expect(await claim(local, Self.bo, .mineOrNobodys) == nil)
            #expect(await claim(local, Self.bo, .mineOrNobodys) == nil)
            #expect(await claim(local, Self.bo, .mine) == nil)
            #expect(await claim(local, Self.bo, .nobodys) == .assignedToAnother)
            #expect(await claim(local, Self.eve, .mineOrNobodys) == .assignedToAnother)
            let thread = try local.deskThread("t1")
            #expect(thread[path: "agent", "id"] == .string("bo"))
        }
    }

    @Test func aMessageIsOnlySentWhileTheThreadIsFree() async throws {
        try await run { local in
            func send(_ id: String, _ agent: Agent, _ condition: AgentCondition) async -> ChatError.Code? {
                await refusal {
                    _ = try await local.desk.send(
                        MessageDraft(id: id, text: "text"), as: agent, to: Self.thread,
                        under: AnswerTerms(condition: condition), receipt: nil)
                }
            }
            #expect(await send("e1", Self.eve, .mineOrNobodys) == nil)
            #expect(await send("e2", Self.eve, .mine) == .assignedToAnother)
            #expect(await claim(local, Self.bo, .nobodys) == nil)
            #expect(await send("e3", Self.eve, .mineOrNobodys) == .assignedToAnother)
            #expect(await send("b1", Self.bo, .mine) == nil)
            // A request that is repeated has been done already, whosever the thread is now.
            #expect(await send("e1", Self.eve, .mineOrNobodys) == nil)
            let thread = try local.deskThread("t1")
            #expect(thread[path: "lastMessage", "id"] == .string("b1"))
        }
    }

    @Test func whoHandsOverOrClosesCanSayWhoseTheThreadMustBe() async throws {
        try await run { local in
            let desk = local.desk
            func release(_ agent: Agent?, _ condition: AgentCondition) async -> ChatError.Code? {
                await refusal { _ = try await desk.release(Self.thread, as: agent, if: condition, receipt: nil) }
            }
            func close(_ agent: Agent?, _ condition: AgentCondition) async -> ChatError.Code? {
                await refusal { _ = try await desk.close(Self.thread, as: agent, if: condition, receipt: nil) }
            }
            #expect(await claim(local, Self.bo, .nobodys) == nil)
            for condition in AgentCondition.allCases {
                #expect(await release(Self.eve, condition) == .assignedToAnother)
                #expect(await close(Self.eve, condition) == .assignedToAnother)
                #expect(await close(nil, condition) == .assignedToAnother)
            }
            #expect(await release(Self.bo, .mine) == nil)
            // Nobody in particular has no thread, not even one that is nobody's.
            #expect(await close(nil, .mine) == .assignedToAnother)
            #expect(await close(Self.eve, .mine) == .assignedToAnother)
            #expect(await close(Self.eve, .mineOrNobodys) == nil)
        }
    }

    @Test func anOldVersionIsRefused() async throws {
        try await run { local in
            let version = try await local.desk.thread(Self.thread).version
            #expect(await claim(local, Self.bo, .mineOrNobodys, version: version) == nil)
            #expect(await claim(local, Self.bo, .mineOrNobodys, version: version) == .preconditionFailed)
            let desk = local.desk
            #expect(
                await refusal { _ = try await desk.release(Self.thread, ifMatch: version, receipt: nil) }
                    == .preconditionFailed)
            #expect(
                await refusal { _ = try await desk.endContact(Self.thread, ifMatch: version, receipt: nil) }
                    == .preconditionFailed)
            #expect(
                await refusal { _ = try await desk.close(Self.thread, ifMatch: version, receipt: nil) }
                    == .preconditionFailed)
            #expect(
                await refusal { try await desk.remove(Self.thread, ifMatch: version) } == .preconditionFailed)
            let now = try await desk.thread(Self.thread).version
            try await desk.remove(Self.thread, ifMatch: now)
            #expect(await refusal { _ = try await desk.thread(Self.thread) } == .unknownThread)
        }
    }
}
