import Dispatch
import Glibc

/// The memory that the process holds but does not use.
enum ProcessMemory {
    private typealias Trim = @convention(c) (Int) -> Int32

    /// Gives free pages back to the system. By itself the C library only gives back what lies at the heap's end.
    static func giveBack() {
        // Found by its name, because only the GNU C library has it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        let trim = unsafeBitCast(symbol, to: Trim.self)
        // It takes some milliseconds: not on a thread that tasks need.
        DispatchQueue.global(qos: .utility).async { _ = trim(0) }
    }
}
