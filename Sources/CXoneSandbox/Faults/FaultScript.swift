import Formats

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
