import Foundation
import PackagePlugin

/// `swift package package-debian [--binary PATH] [--compression xz|zstd]`: makes a Debian package of the gateway for
/// this machine's architecture, and prints its path.
///
/// The same binary gives the same bytes: times in the package are those of `SOURCE_DATE_EPOCH`, or else of the last
/// commit. `DEBFULLNAME` and `DEBEMAIL` name the maintainer.
@main
struct PackageDebian: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let given = extractor.extractOption(named: "binary").last
        let compression = extractor.extractOption(named: "compression").last ?? "xz"
        guard extractor.remainingArguments.isEmpty, ["xz", "zstd"].contains(compression) else {
            throw Failure("usage: swift package package-debian [--binary PATH] [--compression xz|zstd]")
        }
        let root = context.package.directoryURL
        let binary = try given.map { URL(fileURLWithPath: $0) } ?? build(root)
        let work = context.pluginWorkDirectoryURL
        let stage = try Stage(
            work.appendingPathComponent("parley"), templates: "\(root.path)/Sources/DebianPackage/debian")

        let program = try Tool.output(binary.path, "--version").trimmed
        let time = try Self.time(root)
        stage.values["PROGRAM_VERSION"] = program
        stage.values["VERSION"] = "\(program)-1"
        stage.values["MANUAL_DATE"] = Self.text(of: time, "MMMM d, yyyy")
        stage.values["RFC_DATE"] = Self.text(of: time, "EEE, dd MMM yyyy HH:mm:ss '+0000'")
        stage.values["ARCHITECTURE"] = try Tool.output("dpkg", "--print-architecture").trimmed
        let environment = ProcessInfo.processInfo.environment
        let (name, address) = (environment["DEBFULLNAME"], environment["DEBEMAIL"])
        stage.values["MAINTAINER"] = "\(name ?? "Parley") <\(address ?? "parley@packages.invalid")>"

        try stage.install(binary, at: "usr/bin/parley", mode: 0o755)
        let stripped = stage.path("usr/bin/parley")
        try Tool.output("strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note", stripped)
        let depends = try dependencies(of: stripped, in: work)
        stage.values["DEPENDS"] = depends

        try stage.install(root.appendingPathComponent("web"), at: "usr/share/parley/web")
        try stage.install(
            root.appendingPathComponent("openapi/openapi.yaml"), at: "usr/share/parley/openapi/openapi.yaml")
        try stage.install(root.appendingPathComponent("Sources/parley/Parley.docc"), at: "usr/share/parley/docs")
        for (template, place) in [
            ("parley.service", "lib/systemd/system/parley.service"),
            ("parley.socket", "lib/systemd/system/parley.socket"),
            ("user/parley.service", "usr/lib/systemd/user/parley.service"),
            ("user/parley.socket", "usr/lib/systemd/user/parley.socket"),
            ("default", "etc/default/parley"), ("lintian-overrides", "usr/share/lintian/overrides/parley"),
        ] {
            try stage.write(stage.filled(template), to: place)
        }
        for (shell, place) in [
            ("bash", "bash-completion/completions/parley"), ("zsh", "zsh/vendor-completions/_parley"),
            ("fish", "fish/vendor_completions.d/parley.fish"),
        ] {
            // Shells read these files, and do not run them.
            let script = try Tool.output(binary.path, "--generate-completion-script", shell)
            try stage.write(script.replacing(/^#!.*\n/, with: ""), to: "usr/share/\(place)")
        }
        stage.values["COMMANDS"] = try ManualPage.commands(
            dump: Tool.output(binary.path, "--experimental-dump-help"))
        try stage.write(stage.filled("manual.mdoc"), to: "usr/share/man/man1/parley.1", isCompressed: true)

        let components = try Component.all(context.package, table: stage.template("components.json"))
        let documents = "usr/share/doc/parley"
        try stage.write(Copyright.text(components, licences: stage.template("licences")), to: "\(documents)/copyright")
        try stage.write(Copyright.notices(components), to: "\(documents)/NOTICE", isCompressed: true)
        try stage.write(stage.filled("changelog"), to: "\(documents)/changelog.Debian", isCompressed: true)
        try stage.write(
            String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8), to: "\(documents)/README.md",
            isCompressed: true)
        try stage.write(
            BillOfMaterials(
                version: "\(program)-1", architecture: stage.values["ARCHITECTURE"]!, time: time,
                components: components,
                depends: depends, digest: Tool.output("sha256sum", stripped).prefix(64).description
            ).json(), to: "\(documents)/parley.spdx.json")

        let file = try stage.pack(into: work, compression: compression, time: time)
        print(file.path)
    }

    /// The release build with the Swift runtime linked in: it runs where there is no toolchain. Its paths do not depend
    /// on the folder of the sources.
    private func build(_ root: URL) throws -> URL {
        var parameters = PackageManager.BuildParameters(configuration: .release, logging: .concise, echoLogs: true)
        parameters.otherSwiftcFlags = ["-static-stdlib", "-gnone", "-file-prefix-map", "\(root.path)=."]
        parameters.otherCFlags = ["-g0", "-ffile-prefix-map=\(root.path)=."]
        parameters.otherLinkerFlags = ["--no-export-dynamic"]
        let result = try packageManager.build(.product("parley"), parameters: parameters)
        guard result.succeeded, let binary = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw Failure("parley could not be built:\n\(result.logText)")
        }
        return binary.url
    }

    /// What `Depends:` says, as `dpkg-shlibdeps` finds it.
    private func dependencies(of binary: String, in work: URL) throws -> String {
        let dynamic = try Tool.output("readelf", "--dynamic", "--wide", binary)
        if dynamic.contains("[libswiftCore.so]") {
            Diagnostics.warning(
                "The binary needs a Swift runtime, which the package does not bring. Build it with --static-swift-stdlib."
            )
        }
        // The program reads the name of a package from a source package.
        let source = work.appendingPathComponent("source")
        let folder = source.appendingPathComponent("debian")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "Source: parley\n\nPackage: parley\nArchitecture: any\n".write(
            to: folder.appendingPathComponent("control"), atomically: true, encoding: .utf8)
        let found = try Tool.output("dpkg-shlibdeps", "--ignore-missing-info", "-O", "-e\(binary)", in: source)
        guard let line = found.split(separator: "\n").first(where: { $0.hasPrefix("shlibs:Depends=") }) else {
            throw Failure("dpkg-shlibdeps found no library.")
        }
        return String(line.dropFirst("shlibs:Depends=".count))
    }

    /// `SOURCE_DATE_EPOCH`, or else the time of the last commit.
    private static func time(_ root: URL) throws -> Int {
        if let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"] {
            guard let time = Int(text) else { throw Failure("SOURCE_DATE_EPOCH must be a number of seconds.") }
            return time
        }
        guard let text = try? Tool.output("git", "-C", root.path, "log", "-1", "--format=%ct"),
            let time = Int(text.trimmed)
        else { throw Failure("These sources are no git clone: set SOURCE_DATE_EPOCH to the time of their release.") }
        return time
    }

    static func text(of time: Int, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(time)))
    }
}

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
    /// What a program prints. Throws ``Failure`` with its errors if it fails or does not exist.
    ///
    /// - Parameter program: a path, or a name that is looked for in `PATH`.
    @discardableResult
    static func output(
        _ program: String, _ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
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
