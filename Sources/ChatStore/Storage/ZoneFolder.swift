import Formats
import Glibc

/// The time zones of this machine: the files of the time zone database (Debian's package tzdata).
public struct ZoneFolder: Sendable {
    public static let system = ZoneFolder(path: "/usr/share/zoneinfo")

    let path: String

    /// The time zone of this name; nil if there is none. `UTC` needs no file. It reads a small file, so it may block for a
    /// moment.
    public func rules(_ name: String) -> TimeZoneRules? {
        if name == "UTC" { return .utc }
        guard TimeZoneRules.isName(name), let file = fopen("\(path)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        let limit = TimeZoneRules.maximumFileSize + 1
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = fread(buffer.baseAddress, 1, limit, file)
        }
        return TimeZoneRules(tzif: bytes)
    }
}
