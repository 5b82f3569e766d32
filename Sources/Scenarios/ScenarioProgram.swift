import Formats
import Foundation
import Synchronization

/// The program under test, while scenarios are played against it.
///
/// It has a process group of its own, which is ended as a whole: by ``end()``, and by a guard process if this process
/// ends before, however it does.
final class ScenarioProgram: Sendable {
    /// The leader of the group. It is waited for in ``end()`` only: as long as it is a zombie, nobody else gets its number.
    private let leader: pid_t
    private let guardian: pid_t
    /// Its end tells the guard that this process is gone.
    private let life: Int32
    /// The read end of the pipe with the program's output. Reads from it do not block.
    private let output: Int32

    private struct State {
        /// The newest bytes of its output.
        var output: [UInt8] = []
        var isReady = false
        /// It has closed its output: nobody of the group is left, or wants to say more.
        var isSilent = false
    }
    private let state = Mutex(State())
    /// Signalled with each piece of output.
    private let said = DispatchSemaphore(value: 0)

    /// The most bytes of output that are kept; the oldest give way.
    private static let maximumOutput = 64 << 10
    /// How long it may take to become ready, and to end by itself.
    private static let patience = (ready: Duration.seconds(30), end: Duration.seconds(2))

    /// Starts it. Throws ``ScenarioFailure``.
    ///
    /// - Parameter environment: all of its variables.
    init(_ command: String, in folder: String, environment: [String: String]) throws(ScenarioFailure) {
        let (output, life, begin) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let variables = environment.map { "\($0)=\($1)" }
        // It waits for a line, which it is sent when the guard is there: who ends before that leaves nothing behind.
        let start = "read -r _ && cd -- \"$0\" && exec /bin/sh -c \"$1\" </dev/null"
        leader = try Self.spawn(
            ["/bin/sh", "-c", start, folder, command], variables, input: begin.read, output: output.write)
        for end in [output.write, begin.read] { close(end) }
        self.life = life.write
        // It reads until the pipe ends, and then ends the group.
        let script = "read -r _; kill -TERM -$0; sleep 2; kill -KILL -$0"
        do throws(ScenarioFailure) {
            guardian = try Self.spawn(
                ["/bin/sh", "-c", script, "\(leader)"], variables, input: life.read, output: nil)
        } catch {
            kill(-leader, SIGKILL)
            throw error
        }
        close(life.read)
        _ = write(begin.write, "\n", 1)
        close(begin.write)
        self.output = output.read
        _ = fcntl(output.read, F_SETFL, O_NONBLOCK)
        Thread.detachNewThread { [self] in read() }
    }

    /// A pipe of this process alone. Throws ``ScenarioFailure``.
    private static func pipe() throws(ScenarioFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw ScenarioFailure("The program cannot be started: \(String(cString: strerror(errno))).")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a process in a group of its own.
    private static func spawn(
        _ words: [String], _ variables: [String], input: Int32, output: Int32?
    ) throws(ScenarioFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            if let output {
                posix_spawn_file_actions_adddup2(&actions, output, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let fault = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &environment)
        guard fault == 0 else {
            throw ScenarioFailure("The program cannot be started: \(String(cString: strerror(fault))).")
        }
        return process
    }

    /// Keeps what it writes, until nobody can write any more.
    private func read() {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        repeat {
            poll(&entry, 1, -1)
            state.withLock { takeOutput(&$0) }
            said.signal()
        } while !state.withLock { $0.isSilent }
        close(output)
    }

    /// Moves the bytes that are in the pipe now to the state, without waiting. It reads at most 128 KiB, so it also returns
    /// if the program never stops writing; Linux's pipes hold 64 KiB.
    private func takeOutput(_ state: inout State) {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<8 where !state.isSilent {
            let count = Glibc.read(output, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            if count <= 0 { state.isSilent = true } else { state.output += piece[..<count] }
        }
        state.output.removeFirst(max(0, state.output.count - Self.maximumOutput))
    }

    /// Waits until a line of its output matches. Throws ``ScenarioFailure``.
    func wait(until expression: String) throws(ScenarioFailure) {
        let end = ContinuousClock.now + Self.patience.ready
        while true {
            let (text, isSilent) = state.withLock { (String(decoding: $0.output, as: UTF8.self), $0.isSilent) }
            if let wanted = try? Regex(expression), text.contains(wanted) { return }
            let left = max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1)
            guard !isSilent, said.wait(timeout: .now() + .milliseconds(Int(left))) == .success else {
                throw ScenarioFailure("The program did not say \(expression).")
            }
        }
    }

    /// Why it has ended by itself; nil while it runs, and if it has ended with status 0.
    var fault: String? {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == SIGCHLD else {
            return nil
        }
        let status = info._sifields._sigchld.si_status
        if info.si_code == CLD_EXITED { return status == 0 ? nil : "the program has ended with status \(status)" }
        return "the program has ended by signal \(status)"
    }

    /// The last 50 lines that the program has written until now. They are safe to show at a terminal.
    var words: [String] {
        let written = state.withLock { state in
            takeOutput(&state)
            return state.output
        }
        let lines = String(decoding: written, as: UTF8.self).linesShownSafely
        let newest = lines.suffix(lines.last == "" ? 51 : 50).filter { !$0.isEmpty }
        return newest.isEmpty ? [] : ["the program wrote:"] + newest.map { "    \($0)" }
    }

    /// Ends the group, and waits for its leader. It has 2 seconds to end by itself.
    func end() {
        kill(guardian, SIGKILL)
        waitpid(guardian, nil, 0)
        close(life)
        kill(-leader, SIGTERM)
        let end = ContinuousClock.now + Self.patience.end
        var info = siginfo_t()
        while waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo != SIGCHLD,
            ContinuousClock.now < end
        {
            Thread.sleep(forTimeInterval: 0.02)
        }
        // The leader's children, and whoever does not heed the first signal.
        kill(-leader, SIGKILL)
        waitpid(leader, nil, 0)
    }
}
