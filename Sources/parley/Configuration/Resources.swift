import Foundation

/// The files that the gateway serves, searched from the executable's folder upwards.
enum Resources {
    /// The path of a file; nil if there is none. It may be in the repository, with the executable in
    /// `.build/debug`, or in an installation, which has `bin/parley` and `share/parley`.
    ///
    /// The nearest folder wins. Only Linux is supported: the executable's place is read from `/proc/self/exe`.
    ///
    /// - Parameter installed: its name below `share/parley`, if that is another.
    static func find(_ name: String, installed: String? = nil) -> String? {
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        while folder.path != "/" {
            for candidate in [
                folder.appendingPathComponent(name),
                folder.appendingPathComponent("share/parley/" + (installed ?? name)),
            ]
            where FileManager.default.isReadableFile(atPath: candidate.path) {
                return candidate.path
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
