import ChatModel
import ChatStore
import Dispatch
import Foundation
import Synchronization

/// What a target needs besides its input: a gateway, a platform. It is made once for many inputs, and anew when it is
/// used up.
final class World<Content: Sendable>: Sendable {
    private struct State {
        var content: (Content, folder: String)?
        var uses = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let make: @Sendable (_ folder: String) async throws -> Content
    private let end: @Sendable (Content) async -> Void

    /// - Parameter limit: after so many inputs it is made anew, for what they leave behind makes it slow.
    init(
        limit: Int, make: @escaping @Sendable (_ folder: String) async throws -> Content,
        end: @escaping @Sendable (Content) async -> Void
    ) {
        (self.limit, self.make, self.end) = (limit, make, end)
    }

    /// The content, for one more input.
    func content() async throws -> Content {
        let isUsedUp = state.withLock { state in
            state.uses += 1
            return state.uses > limit
        }
        if isUsedUp { await renew() }
        if let content = state.withLock({ $0.content }) { return content.0 }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let made = try await make(folder)
        state.withLock { $0 = State(content: (made, folder)) }
        return made
    }

    /// The next input gets a new one.
    func renew() async {
        let former = state.withLock { state in
            defer { state = State() }
            return state.content
        }
        guard let former else { return }
        await end(former.0)
        try? FileManager.default.removeItem(atPath: former.folder)
    }
}

/// Runs asynchronous work to its end: whoever calls a target, libFuzzer too, waits for it.
func wait<T: Sendable>(for work: @escaping @Sendable () async throws -> T) throws -> T {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<T, any Error>>(.failure(Refusal("nothing was done")))
    Task.detached {
        do {
            let value = try await work()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
}
