@testable import Chat
import Bounds
import ChatModel
import TestSupport
import Testing

/// Files of platforms that are fetched at the same time.
@Suite(.timeLimit(.minutes(5))) struct FileFetchesTests {
    @Test("One account cannot hold all places: the next file of its own is refused, another account's is fetched")
    func placesAreShared() async throws {
        let fetches = FileFetches(clock: ManualClock())
        let gate = Gate()
        let share = SharedPlaces(limit: FileFetches.limit).share(of: .named("account:1"))
        let held = (0..<share).map { number in
            Task { try await fetches.join("slow \(number)", of: 1) { () throws(ChatError) in await gate.pass() } }
        }
        #expect(await eventually { fetches.count == share })
        #expect(
            await refusal { try await fetches.join("one more", of: 1) { () throws(ChatError) in } } == .tooManyFetches)
        await #expect(throws: Never.self) { try await fetches.join("another's", of: 2) { () throws(ChatError) in } }
        gate.open()
        for task in held { try await task.value }
        await #expect(throws: Never.self) { try await fetches.join("one more", of: 1) { () throws(ChatError) in } }
    }
}
