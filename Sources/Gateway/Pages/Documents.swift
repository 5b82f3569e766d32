/// The pages, the guide and the API's description, as they are served.
struct Documents: Sendable {
    /// By their path within `web/`. A request only ever picks one of these, so no path leads out of the folder.
    let files: [String: StaticFile]
    let guide: Guide
    let description: APIDescription

    /// Throws when a file cannot be read.
    init(_ configuration: GatewayConfiguration) throws {
        var files: [String: StaticFile] = [:]
        if let folder = configuration.pagesFolder {
            for name in try FileReader.list(folder) {
                files[name] = StaticFile(bytes: try FileReader.read("\(folder)/\(name)"), name: name)
            }
        }
        self.files = files
        guide = try configuration.guideFolder.map { try Guide(folder: $0) } ?? Guide()
        description = try APIDescription(path: configuration.documentPath, guide: guide)
    }
}
