import Chat
@testable import CXoneSandbox
import CXoneWire
import Formats
@testable import SandboxKit
import TestSupport
import Testing

/// What can be seen of the sandbox from outside.
@Suite struct InspectionTests {
    @Test func framesOfBothDirectionsAreKept() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            let frames = scene.sandbox.faults.frames.recent.items(after: 0).items.map(\.item)
            let first = try #require(frames.first)
            #expect(first.direction == .toSandbox && first.socket == ada.session.number)
            #expect(frames.count { $0.direction == .toSandbox } == 2 && frames.contains { $0.direction == .toClient })
            var json = JSONWriter()
            first.encode(number: 1, without: .cxone, to: &json)
            let shown = try JSONParser.parse(json.bytes)
            #expect(shown["type"]?.string == "AuthorizeCustomer" && shown["direction"]?.string == "toSandbox")
        }
    }

    @Test func socketsAreListedAsLongAsTheyAreOpen() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada"), bob = try scene.open("bob", "android")
            let sockets = await scene.sandbox.sockets()
            #expect(sockets.map(\.number) == [ada.session.number, bob.session.number])
            #expect(sockets[0].customer == "ada" && sockets[1].customer == nil && sockets[1].platform == "android")
            #expect(sockets[0].received == 1 && sockets[0].sent >= 1)
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 1 })
            #expect(await scene.sandbox.sockets().map(\.number) == [bob.session.number])
        }
    }

    /// A request over HTTP names no customer but by its visitor.
    @Test func aVisitorsCustomerIsThatOfAnOpenSocket() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", visitor: "v1"), bob = try await scene.client("bob", visitor: "v2")
            _ = try scene.open("nobody", visitor: "v3")
            #expect(
                scene.sandbox.customer(ofVisitor: "v1") == "ada" && scene.sandbox.customer(ofVisitor: "v2") == "bob")
            #expect(scene.sandbox.customer(ofVisitor: "v3") == nil && scene.sandbox.customer(ofVisitor: "") == nil)
            #expect(scene.sandbox.accounts(of: "v1").count == 1 && scene.sandbox.accounts(of: "v3").isEmpty)
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 2 })
            #expect(scene.sandbox.customer(ofVisitor: "v1") == nil && scene.sandbox.customer(ofVisitor: "v2") == "bob")
            bob.session.inbox.put(.closed(.client))
        }
    }

    @Test func theFramesOfTheSandboxAreBounded() async throws {
        try await Scene.run { scene in
            func note(_ count: Int, of bytes: Int) {
                for _ in 0..<count {
                    scene.sandbox.faults.frames.record(
                        SandboxFrame(
                            .frame, Array(repeating: 120, count: bytes), .toClient, at: Timestamp(milliseconds: 0)))
                }
            }
            note(2001, of: 1)
            #expect(scene.sandbox.faults.frames.recent.items(after: 0).items.count == 2000)
            note(600, of: SandboxFrame.limit)
            let page = scene.sandbox.faults.frames.recent.items(after: 0)
            let bytes = page.items.map(\.item.weight).reduce(0, +)
            #expect(bytes <= 4 << 20 && bytes > 4 << 20 - 10_000 && page.missed == 2601 - page.items.count)
        }
    }
}
