import Foundation

/// The files that the gateway serves, found from where the executable is.
enum Resources {
    /// A file of the repository (`.build/release/parley` stands below it) or of an installation (`bin/parley` beside `share/parley`).
    static func find(_ name: String) -> String? {
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        while folder.path != "/" {
            for candidate in [folder.appendingPathComponent(name), folder.appendingPathComponent("share/parley/" + name)]
            where FileManager.default.isReadableFile(atPath: candidate.path) {
                return candidate.path
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
