import Synchronization

/// A closure that is set after its owner was made, because whoever provides it is made later. It may be set and called
/// on any thread.
///
/// The closure is kept in a structure, not in the mutex directly. A `Mutex<(@Sendable (String) -> Void)?>` stores it in
/// the form that generic code calls. Each access converts it, and writes it back wrapped in two more closures. So it
/// would grow by 64 bytes with every call, and every call would pass through all wrappers.
package final class Callback<Input, Output>: Sendable {
    private struct Held {
        var closure: (@Sendable (Input) -> Output)?
    }
    private let held = Mutex(Held())

    package init() {}

    /// Replaces the closure. A call that runs on another thread meanwhile may still use the old one.
    package func set(_ closure: @escaping @Sendable (Input) -> Output) { held.withLock { $0.closure = closure } }

    /// Calls the closure without holding the lock, so the closure may use this object. Returns its result; nil while
    /// none is set.
    @discardableResult
    package func callAsFunction(_ input: Input) -> Output? { held.withLock { $0.closure }?(input) }
}
