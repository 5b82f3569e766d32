import Formats
import Synchronization

/// Faults that happen one after the other: each step begins when the one before has happened as often as it says, or its
/// time is over.
struct FaultScript: Sendable {
    /// Names a step among all scripts.
    struct StepName: Sendable, Hashable {
        var script: String
        var index: Int
    }

    /// What a step waits for before its fault is due.
    struct Trigger: Sendable, Hashable {
        var event: String?
        var customer: String?
        var channel: String?
        var socket: Int?
        /// The how many-th fitting request or push it is.
        var nth = 1

        func fits(_ occasion: FaultOccasion) -> Bool {
            occasion.isOf(customer: customer, event: event, channel: channel, socket: socket)
        }
    }

    /// How far a step is.
    enum Progress: String, Sendable {
        /// The one before is not done.
        case waiting
        /// It waits for its trigger.
        case listening
        /// Its delay runs.
        case delayed
        /// Its fault is due.
        case due
        case done
    }

    /// When a step's fault has happened, and the number of the frame that tells it.
    struct Firing: Sendable {
        var at: Timestamp
        var frame: Int
    }

    struct Step: Sendable {
        var trigger: Trigger?
        /// In milliseconds.
        var delay = 0
        var fault: Fault
        var progress = Progress.waiting
        /// How many requests and pushes so far were of the kind that the trigger waits for.
        var seen = 0
        /// When the trigger came, and the number of its frame.
        var triggered: Firing?
        var dueAt: Timestamp?
        /// The first 100.
        var firings: [Firing] = []
    }

    let id: String
    let name: String?
    let createdAt: Timestamp
    var steps: [Step]

    var isDone: Bool { steps.allSatisfy { $0.progress == .done } }

    /// Writes it as the API shows it (the schema `SandboxScript`).
    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("createdAt", createdAt)
        json.member("isDone", isDone)
        json.name("steps")
        json.beginArray()
        for step in steps { step.encode(to: &json) }
        json.endArray()
        json.endObject()
    }
}

extension FaultScript.Step {
    fileprivate func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("progress", progress.rawValue)
        json.name("fault")
        fault.encode(to: &json)
        if delay > 0 { json.member("delayMilliseconds", delay) }
        if let trigger {
            json.name("trigger")
            json.beginObject()
            json.member("event", trigger.event)
            json.member("customer", trigger.customer)
            json.member("channel", trigger.channel)
            if let socket = trigger.socket { json.member("socket", socket) }
            json.member("nth", trigger.nth)
            json.endObject()
        }
        if let triggered {
            json.name("triggered")
            triggered.encode(to: &json)
        }
        if let dueAt { json.member("dueAt", dueAt) }
        json.name("happened")
        json.beginArray()
        for firing in firings { firing.encode(to: &json) }
        json.endArray()
        json.endObject()
    }
}

extension FaultScript.Firing {
    fileprivate func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", at)
        json.member("frame", frame)
        json.endObject()
    }
}

/// The scripts of faults, and how far they are. In memory only; may be used from any task.
final class FaultScripts: Sendable {
    private let state = Mutex([FaultScript]())

    /// The most scripts.
    static let limit = 1000
    /// The most happenings of a step that are remembered.
    private static let firingLimit = 100

    /// Oldest first.
    var all: [FaultScript] { state.withLock { $0 } }

    func script(_ id: String) -> FaultScript? { state.withLock { $0.first { $0.id == id } } }

    /// False if there are ``limit`` scripts that are not done. Otherwise the oldest one that is done gives way.
    func add(_ script: FaultScript) -> Bool {
        state.withLock { scripts in
            if scripts.count >= Self.limit {
                guard let done = scripts.firstIndex(where: \.isDone) else { return false }
                scripts.remove(at: done)
            }
            scripts.append(script)
            return true
        }
    }

    /// False if there is no such script.
    func remove(_ id: String) -> Bool {
        state.withLock { scripts in
            let count = scripts.count
            scripts.removeAll { $0.id == id }
            return scripts.count < count
        }
    }

    func removeAll() { state.withLock { $0 = [] } }

    /// The steps whose trigger a request or a push is. Their delay begins.
    func observe(_ occasion: FaultOccasion, frame: Int, at time: Timestamp) -> [(FaultScript.StepName, delay: Int)] {
        state.withLock { scripts in
            var found: [(FaultScript.StepName, delay: Int)] = []
            for script in scripts.indices {
                guard let index = scripts[script].steps.firstIndex(where: { $0.progress == .listening }),
                    let trigger = scripts[script].steps[index].trigger, trigger.fits(occasion)
                else { continue }
                scripts[script].steps[index].seen += 1
                guard scripts[script].steps[index].seen >= trigger.nth else { continue }
                scripts[script].steps[index].triggered = FaultScript.Firing(at: time, frame: frame)
                scripts[script].steps[index].progress = .delayed
                found.append(
                    (
                        FaultScript.StepName(script: scripts[script].id, index: index),
                        scripts[script].steps[index].delay
                    ))
            }
            return found
        }
    }

    /// Begins the first step that waits, if the one before is done. Returns it unless it listens for a trigger first.
    func advance(_ id: String) -> (FaultScript.StepName, delay: Int)? {
        state.withLock { scripts in
            guard let script = scripts.firstIndex(where: { $0.id == id }),
                let index = scripts[script].steps.firstIndex(where: { $0.progress != .done }),
                scripts[script].steps[index].progress == .waiting
            else { return nil }
            let step = scripts[script].steps[index]
            scripts[script].steps[index].progress = step.trigger == nil ? .delayed : .listening
            return step.trigger == nil ? (FaultScript.StepName(script: id, index: index), step.delay) : nil
        }
    }

    /// Makes the fault of a step due whose delay is over, and returns it; nil if the script is gone.
    func arm(_ name: FaultScript.StepName, at time: Timestamp) -> Fault? {
        change(name) { step in
            guard step.progress == .delayed else { return nil }
            (step.progress, step.dueAt) = (.due, time)
            return step.fault
        } ?? nil
    }

    /// Notes that the fault of a step has happened.
    func happened(_ name: FaultScript.StepName, _ firing: FaultScript.Firing) {
        _ = change(name) { step in
            if step.firings.count < Self.firingLimit { step.firings.append(firing) }
        }
    }

    func end(_ name: FaultScript.StepName) { _ = change(name) { $0.progress = .done } }

    private func change<T>(_ name: FaultScript.StepName, _ body: (inout FaultScript.Step) -> T) -> T? {
        state.withLock { scripts in
            guard let script = scripts.firstIndex(where: { $0.id == name.script }),
                scripts[script].steps.indices.contains(name.index)
            else { return nil }
            return body(&scripts[script].steps[name.index])
        }
    }
}
