import ArgumentParser
import Configuration

/// `parley config`: prints each setting with its value and its origin (flag, environment, file or default), one to a
/// line.
struct ShowConfiguration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show each setting and where it came from.")

    @OptionGroup var flags: Serve

    /// Prints the columns name, value and origin. Files that settings name are not opened, so a wrong path is not
    /// noticed here.
    func run() async throws {
        let settings: Settings
        do { settings = try await flags.settings() } catch let error as SettingsError {
            throw ValidationError(error.description)
        }
        let rows = Setting.allCases.map { setting in
            let value = settings[setting].content.words
            let shown =
                setting.isSecret && !value.isEmpty
                ? "(hidden)" : setting == .store ? StoreAddress.withoutPassword(value) : value
            return (setting.flag, shown, settings[setting].origin.rawValue)
        }
        let (names, values) = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        for (name, value, origin) in rows {
            print(name.padded(to: names), value.padded(to: values), origin, separator: "  ")
        }
    }
}

extension ConfigContent {
    /// The value as text; the entries of a list are separated by commas, as in the environment.
    fileprivate var words: String {
        switch self {
        case .string(let string): string
        case .int(let number): String(number)
        case .bool(let flag): String(flag)
        case .stringArray(let strings): strings.joined(separator: ",")
        default: "\(self)"
        }
    }
}
