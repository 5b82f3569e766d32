import Chat
import ChatModel
import ChatStore
import HTTPRouting

extension WebhookRoutes {
    /// The counters and states of deliveries to webhooks and devices. Writes nothing when the database cannot be read,
    /// so that the other metrics still come.
    package func measure(in metrics: inout OpenMetricsWriter) async {
        guard let statistics = try? await webhooks.get().statistics() else { return }
        metrics.deliveries(statistics)
    }
}

extension OpenMetricsWriter {
    /// Writes every outcome and state, also those with 0.
    fileprivate mutating func deliveries(_ statistics: DeliveryStatistics) {
        let kinds = statistics.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
        family("parley_delivery_attempts", "counter", "Attempts to deliver an event to a target, by result.")
        for (kind, measured) in kinds {
            for outcome in DeliveryOutcome.allCases {
                let labels = [("kind", kind.rawValue), ("outcome", outcome.rawValue)]
                sample("parley_delivery_attempts_total", labels, measured.outcomes[outcome] ?? 0)
            }
        }
        let name = "parley_delivery_attempt_duration_seconds"
        family(name, "histogram", unit: "seconds", "Time from an attempt's beginning to the end of its answer.")
        for (kind, measured) in kinds { histogram(name, [("kind", kind.rawValue)], measured.durations) }
        family("parley_deliveries_pending", "gauge", "Deliveries that are not done yet.")
        for kind in TargetKind.allCases {
            sample("parley_deliveries_pending", [("kind", kind.rawValue)], statistics.pending[kind] ?? 0)
        }
        gauge(
            "parley_delivery_lag_events", unit: "events",
            "Events of the log that the slowest webhook has not received yet.",
            statistics.greatestLag)
        family("parley_delivery_targets", "gauge", "Webhooks and devices, by state.")
        for kind in TargetKind.allCases {
            let states = kind == .webhook ? TargetState.allCases.map(\.rawValue) : Device.State.allCases.map(\.rawValue)
            for state in states {
                let count = statistics.targets[kind]?[state] ?? 0
                sample("parley_delivery_targets", [("kind", kind.rawValue), ("state", state)], count)
            }
        }
    }
}
