import ArgumentParser
import ChatModel
import Configuration
import Formats
import Foundation
import Gateway
import LocalService

/// `parley routes`: prints every route of the gateway, those of NICE CXone's sandbox too. The contract tests compare them with
/// the OpenAPI document.
struct ListRoutes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "routes", abstract: "List the routes of the API.")

    @Flag(help: "As a JSON array of {method, path, access, scope}.")
    var json = false

    /// Composes a whole gateway, which never listens, and prints its routes.
    func run() async throws {
        // It uses a temporary data folder, so that it works while a gateway is running.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-routes-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // With NICE CXone's sandbox and assistants the gateway has all routes of its document. Those that it serves in
        // Sendbird's place are described by that platform.
        var flags: [Setting: ConfigContent] = [.data: .string(folder), .mcp: .string("write")]
        if PlatformParts.isBuilt { flags[.cxoneSandbox] = .bool(true) }
        let settings = try await Settings(
            flags: flags, file: nil, environment: ProcessInfo.processInfo.environment)
        let log = LogOutput(level: .error, verbosity: .simple)
        let (gateway, _) = try await GatewayService.make(
            SettingsReloads(settings, log: log) { settings }, log: log, supervisor: Supervisor())
        let routes = gateway.application.routes
        await gateway.store.close()
        if json {
            var writer = JSONWriter()
            writer.beginArray()
            for route in routes {
                writer.beginObject()
                writer.member("method", route.method.rawValue)
                writer.member("path", route.template)
                writer.member("access", route.access.name)
                writer.member("scope", route.access.scope?.rawValue)
                writer.endObject()
            }
            writer.endArray()
            print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            for route in routes {
                print(route.method.rawValue, route.template, route.access.scope?.rawValue ?? route.access.name)
            }
        }
    }
}
