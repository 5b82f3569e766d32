import Glibc
import HTTPRouting

/// What the system says of this process, by the names that Prometheus's client libraries give it.
///
/// It is read from `/proc`, which answers from memory. A figure that cannot be read is left out.
struct ProcessFigures: Sendable {
    /// In user and in system mode.
    var cpuSeconds: Double?
    var residentBytes: Int?
    var virtualBytes: Int?
    var threads: Int?
    var openDescriptors: Int?
    var descriptorLimit: Int?
    /// Since 1970, in seconds.
    var startTime: Double?

    static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        // The name of the program stands in brackets, and may have spaces and brackets itself.
        if let text = read("/proc/self/stat"), let end = text.lastIndex(of: ")") {
            let fields = text[text.index(after: end)...].split(separator: " ").map(String.init)
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            func number(_ field: Int) -> Double? { field - 3 < fields.count ? Double(fields[field - 3]) : nil }
            // The numbers of proc(5): utime 14, stime 15, num_threads 20, starttime 22, vsize 23, rss 24.
            if let user = number(14), let system = number(15) { figures.cpuSeconds = (user + system) / ticks }
            figures.threads = number(20).flatMap(Int.init(exactly:))
            figures.virtualBytes = number(23).flatMap(Int.init(exactly:))
            figures.residentBytes = number(24).flatMap(Int.init(exactly:)).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
            if let start = number(22), let boot = bootTime { figures.startTime = boot + start / ticks }
        }
        figures.openDescriptors = openDescriptorCount
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.descriptorLimit = Int(clamping: limit.rlim_cur)
        }
        return figures
    }

    func write(into out: inout OpenMetricsWriter) {
        if let cpuSeconds {
            out.counter("process_cpu_seconds", unit: "seconds", "Processor time of this process.", cpuSeconds)
        }
        if let residentBytes {
            out.gauge("process_resident_memory_bytes", unit: "bytes", "Memory that is in use.", residentBytes)
        }
        if let virtualBytes {
            out.gauge("process_virtual_memory_bytes", unit: "bytes", "Memory that is addressed.", virtualBytes)
        }
        if let threads { out.gauge("process_threads", "Threads.", threads) }
        if let openDescriptors { out.gauge("process_open_fds", "Open file descriptors.", openDescriptors) }
        if let descriptorLimit { out.gauge("process_max_fds", "File descriptors that may be open.", descriptorLimit) }
        if let startTime {
            let name = "process_start_time_seconds"
            out.family(name, "gauge", unit: "seconds", "When the process began, since 1970.")
            out.sample(name, [], startTime)
        }
    }

    /// When the system began, since 1970, in seconds.
    private static let bootTime: Double? = read("/proc/stat")?.split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }

    private static var openDescriptorCount: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // Without the one that reads the folder.
        return count - 1
    }

    /// A file of `/proc`, whose length is not known before; at most 64 KiB.
    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + length, $0.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            length += count
        }
        return length > 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
    }
}

/// What a gateway is at the moment: the families that standbys have too.
struct GatewayFigures {
    var version: String
    /// Whether it serves. Of the gateways on one database, one does at most.
    var isActive: Bool
    /// The number of this gateway's turn at the database; nil where none is shared, and on a standby.
    var fence: Int64?

    func write(into out: inout OpenMetricsWriter) {
        out.family("parley_build", "info", "The version of the running gateway.")
        out.sample("parley_build_info", [("version", version)], 1)
        out.gauge(
            "parley_gateway_active", "1 if this gateway serves, 0 if it stands by or is suspended.", isActive ? 1 : 0)
        if let fence {
            out.gauge(
                "parley_lease_fence", "The number of this gateway's turn at the database; each takeover adds one.",
                fence)
        }
        ProcessFigures.now().write(into: &out)
    }
}
