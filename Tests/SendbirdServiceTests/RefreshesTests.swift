import ChatModel
@testable import SendbirdService
import Synchronization
import TestSupport
import Testing

/// What is asked for while a thread is refreshed.
@Suite struct RefreshesTests {
    /// One more refresh follows for all who have asked meanwhile, also behind one that fails; and they learn how it ends.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true], [false, true])
    func whoComesMeanwhile(firstFails: Bool, nextFails: Bool) async throws {
        let (refreshes, looks) = (Refreshes(), Watched<[ThreadLook]>([]))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        @Sendable func ask(
            _ look: ThreadLook, fails: Bool, waits: Bool = false
        ) async -> Result<Bool, ChatError> {
            do throws(ChatError) {
                return .success(
                    try await refreshes.run(look, at: "t", of: 1) { look throws(ChatError) in
                        looks.change { $0.append(look) }
                        if waits { for await _ in gate {} }
                        if fails { throw ChatError(.serverError, "It fails.") }
                        return true
                    })
            } catch {
                return .failure(error)
            }
        }
        let first = Task { await ask(ThreadLook(isFocus: true), fails: firstFails, waits: true) }
        #expect(await eventually { looks.withLock { $0.count } == 1 })
        let others = [
            Task { await ask(ThreadLook(isFocus: false, named: [7: .zero]), fails: nextFails) },
            Task { await ask(ThreadLook(isFocus: false, named: [8: .zero]), fails: nextFails) },
        ]
        #expect(await eventually { refreshes.waitingCount == 2 })
        // Another account's is none of this.
        #expect(
            try await refreshes.run(ThreadLook(isFocus: false), at: "t", of: 2) { _ throws(ChatError) in false }
                == false)
        open.finish()
        let error = ChatError(.serverError, "It fails.")
        #expect(await first.value == (firstFails ? .failure(error) : .success(true)))
        for other in others { #expect(await other.value == (nextFails ? .failure(error) : .success(true))) }
        let made = looks.withLock { $0 }
        #expect(made.count == 2 && Set(made[1].named.keys) == [7, 8] && !made[1].isFocus)
        let last = await ask(ThreadLook(isFocus: true), fails: false)
        #expect(last == .success(true) && refreshes.waitingCount == 0)
    }

    /// A look at a thread in view does not look for one that is here alone; the other one does, and so do both together.
    @Test func whatIsHereAloneIsLookedForByBoth() {
        let (view, list) = (ThreadLook(isFocus: true), ThreadLook(isFocus: false))
        for (first, second) in [(view, list), (list, view)] {
            var both = first
            both.add(second)
            #expect(both.isFocus && both.isHeard)
        }
        var views = view
        views.add(view)
        #expect(views.isFocus && !views.isHeard)
    }
}
