import Foundation

/// Why no package could be made, in words for whoever asked for it.
struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// Runs the programs that make a package.
enum Tool {
    /// The path of the clang beside the compiler that makes the objects.
    static func clang() throws -> String {
        try URL(fileURLWithPath: output("which", "swiftc").trimmed).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("clang").path
    }

    /// What a program prints. Throws ``Failure`` with its errors if it fails or does not exist.
    ///
    /// - Parameter program: a path, or a name that is looked for in `PATH`.
    @discardableResult
    static func output(
        _ program: String, _ arguments: String..., more: [String] = [], in folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments + more
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .merging(["LC_ALL": "C.UTF-8", "TZ": "UTC"]) { $1 }.merging(environment) { $1 }
        let (output, errors) = (
            Pipe(), FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        )
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let told = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure("\(program) ended with status \(process.terminationStatus): \(told)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
