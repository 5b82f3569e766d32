import ArgumentParser
import ChatModel
import Formats
import Foundation
import Gateway
import LocalService

/// `parley routes`: the routes that the gateway serves; the contract tests hold them against the OpenAPI document.
struct ListRoutes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "routes", abstract: "List the routes of the API.")

    @Flag(help: "As a JSON array of {method, path}.")
    var json = false

    func run() async throws {
        // Composed on a folder of its own, so that it works beside a running gateway.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-routes-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // All routes there can be.
        let settings = try await Settings(
            flags: [.data: .string(folder), .cxoneSandbox: .bool(true)], file: nil, environment: ProcessInfo.processInfo.environment)
        let (gateway, _) = try await GatewayService.make(settings, log: LogOutput(level: .error, verbosity: .simple))
        let routes = gateway.application.routes.map { (method: $0.method.rawValue, path: $0.template) }
        await gateway.store.close()
        if json {
            var writer = JSONWriter()
            writer.beginArray()
            for route in routes {
                writer.beginObject()
                writer.member("method", route.method)
                writer.member("path", route.path)
                writer.endObject()
            }
            writer.endArray()
            print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            for route in routes { print(route.method, route.path) }
        }
    }
}
