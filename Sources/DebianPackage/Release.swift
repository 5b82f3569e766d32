import Foundation
import PackagePlugin

/// What is packed: the program that was built, and what belongs to it.
struct Release {
    /// The folder of the sources.
    let root: URL
    /// The program as it was built.
    let binary: URL
    let version: String
    let architecture: String
    /// The time of all files, in seconds since 1970.
    let time: Int
    let components: [Component]

    init(_ context: PluginContext, binary: URL) throws {
        root = context.package.directoryURL
        self.binary = binary
        version = try Tool.output(binary.path, "--version").trimmed
        architecture = try Tool.output("dpkg", "--print-architecture").trimmed
        time = try Self.time(root)
        let table = root.appendingPathComponent("\(Self.sources)/debian/components.json")
        components = try Component.all(context.package, table: String(contentsOf: table, encoding: .utf8))
    }

    /// Where the templates are, below the folder of the sources.
    static let sources = "Sources/DebianPackage"

    /// An empty stage with the values that all templates may have.
    func stage(in folder: URL, _ layout: Layout) throws -> Stage {
        let stage = try Stage(folder, templates: root.appendingPathComponent(Self.sources).path)
        stage.values["PROGRAM_VERSION"] = version
        stage.values["MANUAL_DATE"] = Self.text(of: time, "MMMM d, yyyy")
        stage.values["ARCHITECTURE"] = architecture
        stage.values["PROGRAM"] = layout.installed
        stage.values["LICENCES"] = layout.licences
        return stage
    }

    /// Lays the program, stripped, into a stage. Returns its path there.
    func install(_ program: URL, in stage: Stage, _ layout: Layout) throws -> String {
        let place = "\(layout.programs)/parley"
        try stage.install(program, at: place, mode: 0o755)
        try Tool.output(
            "strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note", stage.path(place))
        return stage.path(place)
    }

    /// Lays all else into a stage that every package has.
    ///
    /// - Parameters:
    ///   - linked: what is linked into the program beside the components of every program.
    ///   - depends: the packages of Debian that the program needs, as `Depends:` lists them.
    func fill(_ stage: Stage, _ layout: Layout, name: String, linked: [Component] = [], depends: String) throws {
        let shared = layout.shared
        try stage.install(root.appendingPathComponent("web"), at: "\(shared)/parley/web")
        try stage.install(
            root.appendingPathComponent("openapi/openapi.yaml"), at: "\(shared)/parley/openapi/openapi.yaml")
        try stage.install(root.appendingPathComponent("Sources/parley/Parley.docc"), at: "\(shared)/parley/docs")
        for (template, place) in [
            ("parley.service", "\(layout.systemUnits)/parley.service"),
            ("parley.socket", "\(layout.systemUnits)/parley.socket"),
            ("user/parley.service", "\(layout.userUnits)/parley.service"),
            ("user/parley.socket", "\(layout.userUnits)/parley.socket"),
            ("default", layout.settings),
        ] {
            try stage.write(stage.filled("debian/\(template)"), to: place)
        }
        for (shell, place) in [
            ("bash", "bash-completion/completions/parley"), ("zsh", "\(layout.zsh)/_parley"),
            ("fish", "\(layout.fish)/parley.fish"),
        ] {
            // Shells read these files, and do not run them.
            let script = try Tool.output(binary.path, "--generate-completion-script", shell)
            try stage.write(script.replacing(/^#!.*\n/, with: ""), to: "\(shared)/\(place)")
        }
        stage.values["COMMANDS"] = try ManualPage.commands(dump: Tool.output(binary.path, "--experimental-dump-help"))
        try stage.write(stage.filled("debian/manual.mdoc"), to: "\(shared)/man/man1/parley.1", isCompressed: true)

        let all = components + linked
        let licences = try stage.filled("debian/licences") + (linked.isEmpty ? "" : stage.filled("archive/licences"))
        try stage.write(Copyright.text(all, licences: licences), to: "\(layout.documents)/copyright")
        try stage.write(
            Copyright.notices(all), to: "\(layout.documents)/NOTICE", isCompressed: layout.isCompressed)
        try stage.write(
            String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8),
            to: "\(layout.documents)/README.md", isCompressed: layout.isCompressed)
        let program = "\(layout.programs)/parley"
        try stage.write(
            BillOfMaterials(
                name: name, version: stage.values["VERSION"] ?? version, architecture: architecture, time: time,
                components: all, depends: depends, program: program,
                digest: Tool.output("sha256sum", stage.path(program)).prefix(64).description
            ).json(), to: "\(layout.documents)/parley.spdx.json")
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
