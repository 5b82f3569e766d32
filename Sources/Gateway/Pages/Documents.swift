import ChatModel
import Formats
import MicroHTTP

/// Everything that is read once when the gateway starts: the pages, the guide, the OpenAPI document and what is made
/// from it.
struct Documents: Sendable {
    /// By their path within `web/`. A request only ever picks one of these, so no path leads out of the folder.
    let files: [String: StaticFile]
    let openAPI: StaticFile?
    let guide: Guide
    /// The page `/docs`.
    let index: StaticFile

    init(_ configuration: GatewayConfiguration) throws {
        var files: [String: StaticFile] = [:]
        if let folder = configuration.pagesFolder {
            for name in try FileReader.list(folder) {
                files[name] = StaticFile(bytes: try FileReader.read("\(folder)/\(name)"), name: name)
            }
        }
        self.files = files
        guide = try configuration.guideFolder.map { try Guide(folder: $0) } ?? Guide()
        var document: JSONValue?
        var json: StaticFile?
        if let path = configuration.documentPath {
            let bytes = try OpenAPIDocument.json(yaml: FileReader.read(path))
            json = StaticFile(bytes: bytes, contentType: "application/json")
            document = try JSONParser.parse(bytes)
        }
        openAPI = json
        index = StaticFile(
            bytes: DocumentationPage(document ?? .object([]), guide: guide).bytes, contentType: HTMLPage.contentType.1)
    }
}
