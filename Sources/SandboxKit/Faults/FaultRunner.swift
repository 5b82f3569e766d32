import Chat
import ChatModel
import Formats

/// Lets faults happen to what comes from apps and goes to them, and leads scripts from step to step. May be used from any
/// task.
package final class FaultRunner: Sendable {
    /// What the platform can be asked for, in the order in which it is told.
    package let kinds: [Fault.Kind]
    package let frames: SandboxFrames
    let clock: any Clock<Duration>
    let sleeps: FaultSleeps
    let environment: ModelEnvironment
    let scripts = FaultScripts()
    let late = LateDeeds()
    private let book = FaultBook()
    private let happening = Callback<Fault, Bool>()

    package init(
        _ kinds: [Fault.Kind], frames: SandboxFrames, clock: any Clock<Duration>, environment: ModelEnvironment
    ) {
        (self.kinds, self.frames, self.clock, self.environment) = (kinds, frames, clock, environment)
        sleeps = FaultSleeps(clock)
    }

    /// Sets what does the faults that wait for nothing.
    ///
    /// - Parameter happen: must not block. False for a fault that cannot be noted.
    package func onImmediate(_ happen: @escaping @Sendable (Fault) -> Bool) { happening.set(happen) }

    /// The faults that have not happened yet, in the order in which they were added.
    package var pending: [Fault] { book.all }

    /// Adds a fault. One that waits for nothing happens at once, and any other at the next fitting request or push.
    /// False when too many faults wait.
    package func add(_ fault: Fault) -> Bool {
        if fault.isImmediate { return happen(fault, of: nil) }
        guard book.add(fault) else { return false }
        limit(fault)
        return true
    }

    /// Removes the faults that wait, and the scripts. What has happened stays, but no answer is delayed any longer, and
    /// what was to be done late is not done.
    package func removeAll() {
        scripts.removeAll()
        book.removeAll()
        sleeps.endAll()
    }

    /// Ends all waiting, because the gateway is about to stop.
    package func drain() {
        frames.recent.endWaits()
        sleeps.close()
    }

    /// Adds a script, and begins with its first step. False if too many are there.
    func add(_ script: FaultScript) -> Bool {
        guard scripts.add(script) else { return false }
        advance(script.id)
        return true
    }

    /// Removes a script with the fault that is due for it. False if it is not there.
    func removeScript(_ id: String) -> Bool {
        let wasThere = scripts.remove(id)
        book.remove(of: id)
        sleeps.end(of: id)
        return wasThere
    }

    /// The fault that happens to a request, an answer or a push. It is kept as a frame of its own.
    ///
    /// - Parameters:
    ///   - lost: what the app does not get, or gets late.
    ///   - onlyNamed: passes over faults without an event.
    package func meet(
        _ kinds: Set<Fault.Kind>, _ occasion: FaultOccasion, _ direction: SandboxFrame.Direction,
        _ lost: () -> [UInt8] = { [] }, onlyNamed: Bool = false
    ) -> Fault? {
        let second = environment.now().milliseconds / 1000
        guard let hit = book.takeFault(kinds, occasion, onlyNamed: onlyNamed, second: second) else { return nil }
        record(hit.fault, occasion, direction, lost(), of: hit.step)
        if hit.isLast {
            sleeps.end(of: hit.fault.id)
            if let step = hit.step { end(step) }
        }
        return hit.fault
    }

    /// Lets a request or a push be the trigger of scripts, after it was dealt with.
    package func observe(_ occasion: FaultOccasion, frame: Int) {
        for (step, delay) in scripts.observe(occasion, frame: frame, at: environment.now()) {
            run(step, after: delay)
        }
    }

    private func record(
        _ fault: Fault, _ occasion: FaultOccasion?, _ direction: SandboxFrame.Direction, _ lost: [UInt8],
        of step: FaultScript.StepName?
    ) {
        let now = environment.now()
        var frame = SandboxFrame(
            .fault, lost, direction, type: occasion?.event ?? fault.event, socket: occasion?.socket ?? fault.socket,
            customer: occasion?.customer ?? fault.customer, at: now)
        frame.fault = (fault.id, fault.kind)
        let number = frames.record(frame)
        if let step { scripts.happened(step, FaultScript.Firing(at: now, frame: number)) }
    }

    /// Lets the platform carry out a fault that does not wait for a request.
    func happenNow(_ fault: Fault) -> Bool { happening(fault) ?? false }

    /// Does a fault that waits for nothing. False if it cannot be noted.
    private func happen(_ fault: Fault, of step: FaultScript.StepName?) -> Bool {
        record(fault, nil, .toClient, [], of: step)
        return happenNow(fault)
    }

    /// Removes a fault when its time is over.
    private func limit(_ fault: Fault, of script: String? = nil) {
        guard let lasts = fault.lasts else { return }
        sleeps.after(lasts, of: [fault.id, script].compactMap { $0 }) { [weak self] in
            guard let self, let step = book.remove(fault.id).step else { return }
            end(step)
        }
    }

    private func end(_ step: FaultScript.StepName) {
        scripts.end(step)
        advance(step.script)
    }

    private func advance(_ script: String) {
        if let (step, delay) = scripts.advance(script) { run(step, after: delay) }
    }

    private func run(_ step: FaultScript.StepName, after delay: Int) {
        guard delay > 0 else { return arm(step) }
        sleeps.after(delay, of: [step.script]) { [weak self] in self?.arm(step) }
    }

    /// The step's fault is due: it happens, or waits for a fitting request or push.
    private func arm(_ step: FaultScript.StepName) {
        guard let fault = scripts.arm(step, at: environment.now()) else { return }
        if fault.isImmediate {
            _ = happen(fault, of: step)
            end(step)
        } else {
            _ = book.add(fault, of: step)
            limit(fault, of: step.script)
        }
    }
}
