import ChatModel
import ChatStore
import SandboxKit

/// A clean start without a restart.
extension Sandbox {
    /// The service under which the sandbox keeps accounts of its own, and the channel of the one for uploads.
    static let ownService = "cxone-sandbox"
    static let uploadChannel = "uploads"

    /// Closes all sockets with 1001, voids all tokens, and removes faults, scripts, frames, devices, and the threads of
    /// the customers for whom apps have acted. Returns when all of it is done. Sockets that are opened meanwhile are
    /// closed at once.
    func reset() async throws(ChatError) -> SandboxReset {
        faults.removeAll()
        let sockets = await closeAll()
        faults.removeAll()
        voidTokens.add(upTo: store.environment.now())
        var done: SandboxReset
        do throws(ChatError) {
            done = try await apps.clear(notOn: Self.uploadChannel)
            try await store.write { try $0.restartContacts() }
            // Those that were registered before the process started are among them.
            try await devices?.removeAll(ofHoldersBeginningWith: Self.holderPrefix)
        } catch {
            reopen()
            throw error
        }
        done.sockets = sockets
        visitorDevices.removeAll()
        reopen()
        faults.frames.restart()
        return done
    }
}
