import ArgumentParser
import ChatStore
import PostgresStore

/// `parley store restored`: says that a backup was put back, where no gateway can see it.
struct NoteRestore: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "restored", abstract: "Say that a backup was put back.",
        discussion: """
            The next gateway then gives no cursor out again that clients may have had, and tells webhooks what they may \
            have got that is gone. A gateway sees most restores by itself; say it where everything was put back at once, as \
            with a snapshot of the whole machine. It does no harm to say it in vain. The gateways must be stopped.
            """)

    @OptionGroup var flags: StoreFlags

    var quiet: Bool { flags.quiet }

    func settings() async throws -> Settings? { try await flags.settings() }

    func run(_ output: Output, _ settings: Settings?) throws {
        guard let settings else { return }
        switch try StoreAddress(settings) {
        case .sqlite:
            let path = settings.string(.data)
            // It says what is wrong where there is no database.
            try ChatStore.reader(folder: path).close()
            let folder = try DataFolder(path)
            try withExtendedLifetime(folder) { try HeadFile(folder: folder.path).spoil() }
        case .postgres(let address):
            try RestoredStore.forgetServer(PostgresOptions(address: address, gateway: "store restored"))
        }
        output.inform("The next gateway takes the store for a restored one.")
    }
}
