import Dispatch
import Testing

@testable import HTTPClientPort

@Suite(.timeLimit(.minutes(1))) struct NameResolverTests {
    @Test func aNameHasItsAddressesAndAnUnknownNameHasNone() async throws {
        #expect(try await !NameResolver.addresses(of: "localhost").isEmpty)
        await #expect(throws: HTTPCallError.unknownHost) { try await NameResolver.addresses(of: "no such name") }
    }

    @Test func aTaskThatIsCancelledIsReleasedWhileTheSystemStillLooks() async throws {
        let busy = DispatchSemaphore(value: 0)
        for _ in 0..<NameResolver.threadCount { NameResolver.threads.submit { _ in busy.wait() } }
        defer { for _ in 0..<NameResolver.threadCount { busy.signal() } }
        let asking = Task { try await NameResolver.addresses(of: "localhost") }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }
}
