import ChatStore
import Synchronization
import TestSupport
import Testing

@testable import Chat

/// Closures that are set once and called for as long as the gateway runs. What a call would add to one shows in the
/// depth of the stack: the next call passes through it.
@Suite struct CallbackTests {
    /// Where on the stack the calls arrived.
    private final class Depths: Sendable {
        private let range = Mutex<ClosedRange<Int>?>(nil)

        func note() {
            var local = 0
            let here = withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
            range.withLock { range in
                range = range.map { min($0.lowerBound, here)...max($0.upperBound, here) } ?? here...here
            }
        }

        /// Bytes between the shallowest and the deepest call; nil without calls.
        var spread: Int? { range.withLock { $0.map { $0.upperBound - $0.lowerBound } } }
    }

    private func repeats(_ call: () -> Void) { for _ in 0..<1000 { call() } }

    @Test func callsAddNothing() {
        let (depths, callback) = (Depths(), Callback<Int, Int>())
        #expect(callback(1) == nil)
        callback.set {
            depths.note(); return $0 + 1
        }
        repeats { callback(1) }
        #expect(depths.spread == 0)
        #expect(callback(1) == 2)
    }

    @Test func whoHasLeftIsToldAsDirectlyAsAtFirst() async throws {
        try await withStore { store in
            let (depths, notifications) = (Depths(), Notifications(store: store))
            notifications.onStreamEnd { _ in depths.note() }
            repeats { notifications.left("s") }
            #expect(depths.spread == 0)
        }
    }

    @Test func presenceIsAskedForAsDirectlyAsAtFirst() async throws {
        try await withStore { store in
            let (depths, notifications) = (Depths(), Notifications(store: store))
            notifications.onPresence { _, _ in
                depths.note(); return true
            }
            repeats { _ = notifications.presence(of: "s", account: 1) }
            #expect(depths.spread == 0)
        }
    }

    @Test func newsOfCollectionsAreToldAsDirectlyAsAtFirst() async throws {
        try await Scene.run { scene in
            let depths = Depths()
            scene.sessions.collections.setListener { _ in depths.note() }
            repeats { scene.sessions.collections.notifyListener(.changed([])) }
            #expect(depths.spread == 0)
        }
    }
}
