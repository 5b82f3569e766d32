import Synchronization

/// A closure of somebody who is made later: set at the start, called from any thread.
///
/// The closure lies in a structure, not in the mutex itself. A `Mutex<(@Sendable (String) -> Void)?>` keeps it in the form
/// that generic code calls. Each look inside converts it and writes it back inside two more closures. So it grows by 64
/// bytes with every call, and every call passes through all of them.
package final class Callback<Input, Output>: Sendable {
    private struct Held {
        var closure: (@Sendable (Input) -> Output)?
    }
    private let held = Mutex(Held())

    package init() {}

    /// From now on this closure is called, and none that was set before.
    package func set(_ closure: @escaping @Sendable (Input) -> Output) { held.withLock { $0.closure = closure } }

    /// Returns what the closure returns; nil while none is set. The lock is not held meanwhile.
    @discardableResult
    package func callAsFunction(_ input: Input) -> Output? { held.withLock { $0.closure }?(input) }
}
