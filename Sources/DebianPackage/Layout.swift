/// Where a package has its files.
struct Layout {
    var programs: String
    /// What does not depend on the machine.
    var shared: String
    /// The units of the system, and of a user's session.
    var (systemUnits, userUnits): (String, String)
    var (zsh, fish): (String, String)
    /// The settings of the system's unit.
    var settings: String
    /// Whether longer texts are compressed.
    var isCompressed: Bool
    /// The program's path once it is installed.
    var installed: String
    /// Where the texts of common licences are.
    var licences: String

    var documents: String { "\(shared)/doc/parley" }

    static let debian = Layout(
        programs: "usr/bin", shared: "usr/share", systemUnits: "lib/systemd/system", userUnits: "usr/lib/systemd/user",
        zsh: "zsh/vendor-completions", fish: "fish/vendor_completions.d", settings: "etc/default/parley",
        isCompressed: true, installed: "/usr/bin/parley", licences: "/usr/share/common-licenses")

    /// A folder whose own folders fit into `/usr/local`.
    static let archive = Layout(
        programs: "bin", shared: "share", systemUnits: "lib/systemd/system", userUnits: "lib/systemd/user",
        zsh: "zsh/site-functions", fish: "fish/vendor_completions.d", settings: "share/doc/parley/default",
        isCompressed: false, installed: "/usr/local/bin/parley", licences: "licences")
}
