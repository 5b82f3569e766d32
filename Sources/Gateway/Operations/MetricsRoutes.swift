import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// `/metrics` in the OpenMetrics text format. Labels are route templates, kinds and states, never ids or hosts, so the
/// number of time series stays bounded.
struct MetricsRoutes: RouteGroup {
    /// Route groups that add metric families of their own.
    let groups: [any RouteGroup<GatewayCore>]

    var routes: [Route] {
        [
            Route(
                .get, "/metrics", "getMetrics", access: .scope(.metricsRead),
                handler: .task { [groups] call in
                    // The task begins on the loop's thread, which alone may read the loop's counters.
                    let begun = Self.begin(call.core)
                    return await call.aside {
                        var out = begun
                        if let count = try? await call.core.sessions.count() {
                            out.gauge("parley_sessions", "Sessions that are stored.", count)
                        }
                        for group in groups { await group.measure(in: &out) }
                        return Self.answer(&out)
                    }
                })
        ]
    }

    static func answer(_ out: inout OpenMetricsWriter) -> HTTPResponse {
        out.end()
        return HTTPResponse(
            status: 200,
            headers: [("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")],
            body: .bytes(Array(out.text.utf8)))
    }

    /// Everything that is read on the loop's thread.
    private static func begin(_ core: GatewayCore) -> OpenMetricsWriter {
        var out = OpenMetricsWriter()
        GatewayFigures(version: core.configuration.version, isActive: true, fence: core.configuration.fence)
            .write(into: &out)
        let name = "parley_http_request_duration_seconds"
        out.family(name, "histogram", unit: "seconds", "Time from a request's head to the end of its answer.")
        for series in core.metrics.series {
            let labels = [("route", series.route), ("method", series.method), ("class", series.statusClass)]
            out.histogram(name, labels, series.histogram)
        }
        server(core, &out)
        streams(core.hub, &out)
        store(core, &out)
        return out
    }

    /// The loop's counters; nothing when the server is gone.
    private static func server(_ core: GatewayCore, _ out: inout OpenMetricsWriter) {
        guard let server = core.life.loop?.statistics else { return }
        out.gauge(
            "parley_http_requests_in_flight", "Complete requests that wait for their answer, without streams.",
            server.requestsInFlight)
        out.gauge("parley_http_requests_incomplete", "Requests whose body is still coming.", server.requestsIncomplete)
        out.counter(
            "parley_http_connections_given_up",
            "Connections that were closed because they took too long, or to make room.",
            Double(server.connectionsGivenUp))
        out.counter(
            "parley_http_requests_abandoned",
            "Reading requests that were ended, because their client had left or because they took too long.",
            Double(server.requestsAbandoned))
        out.gauge("parley_http_connections", "Open connections.", server.connections)
        out.counter("parley_http_requests", "Requests since the start.", Double(server.requests))
        out.counter("parley_http_refusals", "Requests that broke the rules of HTTP.", Double(server.refusals))
        out.gauge("parley_streams", "Open event streams.", server.streams)
        out.counter(
            "parley_stream_sent_bytes", unit: "bytes", "Bytes written to event streams.", Double(server.streamBytes))
        out.family("parley_streams_closed", "counter", "Event streams that are over, by reason.")
        for reason in StreamEnd.allCases {
            out.sample("parley_streams_closed_total", [("reason", "\(reason)")], server.streamsClosed(reason))
        }
    }

    /// The streams and the log that they read.
    private static func streams(_ hub: StreamHub, _ out: inout OpenMetricsWriter) {
        out.gauge(
            "parley_stream_lag_events", unit: "events", "Events by which the slowest stream is behind the log's head.",
            hub.greatestLag)
        out.gauge("parley_pages_waiting", "Pages that wait for events.", hub.waits.count)
        out.family("parley_stream_resets", "counter", "Streams and pages whose position was not valid, by reason.")
        for reason in ResetReason.allCases {
            out.sample("parley_stream_resets_total", [("reason", reason.rawValue)], hub.resets[reason] ?? 0)
        }
        out.gauge("parley_log_head", "The last offset of the event log.", hub.log.head)
        out.gauge("parley_log_floor", "The lowest offset at which a cursor is still valid.", hub.log.floor)
    }

    /// The store's counters.
    private static func store(_ core: GatewayCore, _ out: inout OpenMetricsWriter) {
        let store = core.store.statistics
        out.counter("parley_store_commits", "Transactions of the store's writer.", Double(store.commits))
        out.counter("parley_store_units", "Units of work in these transactions.", Double(store.units))
        out.counter(
            "parley_store_commit_seconds", unit: "seconds", "Time spent in commits, disk included.", store.commitSeconds
        )
        out.gauge("parley_store_wal_bytes", unit: "bytes", "Size of the write-ahead log.", store.walByteCount)
        out.family("parley_store_errors", "counter", "Times that the database could not be used, by work and code.")
        for work in StorageWork.allCases {
            for code in StorageErrorCounts.codes {
                out.sample(
                    "parley_store_errors_total", [("work", work.rawValue), ("code", code.rawValue)],
                    core.store.errors.count(code, of: work))
            }
        }
        if let network = store.network { self.network(network, &out) }
    }

    /// What a database on PostgreSQL costs.
    private static func network(_ network: StoreNetworkFigures, _ out: inout OpenMetricsWriter) {
        out.counter(
            "parley_store_lock_wait_seconds", unit: "seconds", "Time that the writer waited for other gateways.",
            network.lockWaitSeconds)
        out.counter(
            "parley_store_lock_held_seconds", unit: "seconds", "Time that the writer kept other gateways out.",
            network.lockHeldSeconds)
        out.counter(
            "parley_store_round_trips", "Times that the writer waited for the database's answer.",
            Double(network.roundTrips))
        out.counter(
            "parley_store_repeated_groups", "Transactions that were undone for a reason that passes, and repeated.",
            Double(network.repeatedGroups))
        out.counter(
            "parley_store_follower_reads", "Reads of commits that other gateways made.", Double(network.followerReads))
        out.counter(
            "parley_store_reconnects", "Connections to the database that were made anew.", Double(network.reconnects))
    }
}

extension OpenMetricsWriter {
    /// Adds the samples of a histogram: cumulative buckets, count and sum. The caller begins the family.
    mutating func histogram(_ name: String, _ labels: [(String, String)], _ histogram: Histogram) {
        var cumulative = 0
        for (index, bound) in Histogram.bounds.enumerated() {
            cumulative += histogram.counts[index]
            sample("\(name)_bucket", labels + [("le", Self.number(bound))], cumulative)
        }
        sample("\(name)_bucket", labels + [("le", "+Inf")], histogram.total)
        sample("\(name)_count", labels, histogram.total)
        sample("\(name)_sum", labels, histogram.sum)
    }
}

/// The durations of requests, by route and class of status.
///
/// `@unchecked Sendable`: after ``prepare(_:)`` it is used on the loop's thread only.
final class GatewayMetrics: @unchecked Sendable {
    /// One histogram with its labels; durations in seconds.
    struct Series {
        var route: String
        var method: String
        var statusClass: String
        var histogram = Histogram()
    }

    private static let classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
    private var labels: [(route: String, method: String)] = []
    /// One for each route and class, row by row; nil until something was counted, to save memory.
    private var histograms: [Histogram?] = []

    /// Sets up a row for each route, and one for requests without a route. Call it once, before the server starts.
    func prepare(_ routes: [Route]) {
        labels = routes.map { ($0.template, $0.method.rawValue) } + [("none", "none")]
        histograms = Array(repeating: nil, count: labels.count * Self.classes.count)
    }

    /// Counts a finished request. `status` 0, when the connection failed before the answer, goes into the class `none`.
    /// - Parameter route: the route's index; nil for a request without a route.
    func observe(_ route: Int?, status: Int, duration: Duration) {
        let row = route ?? labels.count - 1
        let index = row * Self.classes.count + (0...5).clamp(status / 100)
        guard histograms.indices.contains(index) else { return }
        if histograms[index] == nil { histograms[index] = Histogram() }
        histograms[index]?.observe(duration / .seconds(1))
    }

    /// The histograms that have counted anything.
    fileprivate var series: [Series] {
        histograms.indices.compactMap { index in
            guard let histogram = histograms[index] else { return nil }
            let label = labels[index / Self.classes.count]
            return Series(
                route: label.route, method: label.method, statusClass: Self.classes[index % Self.classes.count],
                histogram: histogram)
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func clamp(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
