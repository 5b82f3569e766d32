import Bounds
import Dispatch
import Testing

@testable import HTTPClientPort

@Suite(.serialized, .timeLimit(.minutes(5))) struct NameResolverTests {
    @Test func aNameHasItsAddressesAndAnUnknownNameHasNone() async throws {
        #expect(try await !NameResolver.addresses(of: "localhost", for: .root).isEmpty)
        await #expect(throws: HTTPCallError.unknownHost) {
            try await NameResolver.addresses(of: "no such name", for: .root)
        }
    }

    @Test func aTaskThatIsCancelledIsReleasedWhileTheSystemStillLooks() async throws {
        let busy = DispatchSemaphore(value: 0)
        for _ in 0..<NameResolver.threadCount { NameResolver.threads.submit { _ in busy.wait() } }
        defer { for _ in 0..<NameResolver.threadCount { busy.signal() } }
        let asking = Task { try await NameResolver.addresses(of: "localhost", for: .root) }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test func oneHolderWhoseNamesAreNotAnsweredLeavesTheThreadsToOthers() async throws {
        let (ann, bo) = (Holder.named("ann"), Holder.named("bo"))
        // Ann's look-up does not end; the next ones of hers wait, and nobody else does.
        try await NameResolver.line.enter(ann)
        let waiting = (0..<60).map { _ in Task { try await NameResolver.addresses(of: "localhost", for: ann) } }
        #expect(try await !NameResolver.addresses(of: "localhost", for: bo).isEmpty)
        #expect(try await !NameResolver.addresses(of: "localhost", for: .root).isEmpty)
        NameResolver.line.leave(ann)
        for task in waiting { #expect(try await !task.value.isEmpty) }
    }
}
