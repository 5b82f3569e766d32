import Chat
import ChatModel
@testable import SendbirdService
import TestSupport
import Testing

/// Where the platform's descriptions leave something open, it may be otherwise than the sandbox: nothing is lost by
/// that, and nothing doubled.
@Suite(.serialized) struct UncertainTests {
    /// Messages are removed in between: more than one answer has, and then the newest ones.
    @Test(arguments: PlatformDifference.allCases) func messagesAreRemoved(difference: PlatformDifference) async throws {
        try await TwoGateways.run { world in
            world.port.answers(with: difference)
            let ada = try await world.sessionWithThread("room_1")
            for number in 0..<150 { try await world.deskSends("\(number)", to: "room_1") }
            let all = try await world.farMessages(in: "room_1")
            #expect(try await world.passes { try await world.messages(of: ada, in: "room_1").count == 150 })
            for place in [20..<70, 140..<150] {
                for message in all[place] {
                    try await world.desk.remove(message.id, in: DeskThread(id: "room_1"), ifMatch: nil, as: nil)
                }
                try await world.deskSends("after \(place)", to: "room_1")
                // Where too much is gone, it has to wait for another connection.
                let loading = Task { try? await ada.ask { _ = try await $0.load("room_1", receipt: nil) } }
                await world.elapse(11)
                await loading.value
            }
            let rest = try await world.farTexts(in: "room_1")
            #expect(rest.count == 92)
            // Where too much is gone, the thread is read anew.
            #expect(await world.passes { (try? await world.texts(of: ada, in: "room_1")) == rest })
            // Who comes later reads the same from the beginning.
            try await world.withAnother { other in
                let later = try await other.session("ada")
                #expect(await world.passes { (try? await other.texts(of: later, in: "room_1")) == rest })
            }
        }
    }

    /// Large messages make the answers small, and those before them are removed: the older ones are there.
    @Test(arguments: PlatformDifference.allCases) func removedBehindLargeOnes(
        difference: PlatformDifference
    ) async throws {
        try await TwoGateways.run { world in
            world.port.answers(with: difference)
            let ada = try await world.sessionWithThread("room_1")
            for number in 0..<5 { try await world.deskSends("old \(number)", to: "room_1") }
            for number in 0..<20 { try await world.deskSends("gone", to: "room_1", id: "gone-\(number)") }
            try await ada.disconnect()
            for number in 0..<12 {
                try await world.deskSends("\(number) " + String(repeating: "x", count: 15_000), to: "room_1")
            }
            for number in 0..<20 {
                try await world.desk.remove("gone-\(number)", in: DeskThread(id: "room_1"), ifMatch: nil, as: nil)
            }
            world.port.readsAtMost(60_000)
            try await world.withAnother { other in
                let later = try await other.session("ada")
                let all = try await world.farTexts(in: "room_1")
                #expect(all.count == 17)
                #expect(await world.passes { (try? await other.texts(of: later, in: "room_1")) == all })
            }
        }
    }

    /// All messages of a page are removed, at the beginning and at the end; then the others, too.
    @Test(arguments: PlatformDifference.allCases) func nothingIsLeft(difference: PlatformDifference) async throws {
        try await TwoGateways.run { world in
            world.port.answers(with: difference)
            let ada = try await world.sessionWithThread("room_1")
            for number in 0..<12 { try await world.deskSends("\(number)", to: "room_1") }
            #expect(try await world.passes { try await world.messages(of: ada, in: "room_1").count == 12 })
            for message in try await world.farMessages(in: "room_1") {
                try await world.desk.remove(message.id, in: DeskThread(id: "room_1"), ifMatch: nil, as: nil)
            }
            try await ada.ask { _ = try await $0.load("room_1", receipt: nil) }
            #expect(try await world.passes { try await world.texts(of: ada, in: "room_1") == [] })
            _ = try await ada.send(MessageDraft(text: "again"), to: "room_1", receipt: nil)
            try await world.deskSends("and again", to: "room_1")
            #expect(try await world.passes { try await world.texts(of: ada, in: "room_1") == ["again", "and again"] })
        }
    }
}
