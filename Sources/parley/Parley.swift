import ArgumentParser

/// The command `parley`. Alone it serves.
@main
struct Parley: AsyncParsableCommand {
    /// The version that `--version`, `/v1/info` and the metrics tell.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "parley",
        abstract: "A local HTTP+JSON gateway for customer chat.",
        discussion: """
            Alone, `parley` serves. Settings come from flags, from the environment (PARLEY_LISTEN, PARLEY_DATA, ...), \
            from a file (--config) and from defaults, in this order; `parley config` shows each and where it came from.
            """,
        version: version,
        subcommands: [Serve.self, PrintToken.self, OpenPage.self, ShowConfiguration.self, ListRoutes.self],
        defaultSubcommand: Serve.self)
}
