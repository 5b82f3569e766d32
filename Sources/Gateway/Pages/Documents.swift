/// The pages, the guide and the API's description, as they are served.
struct Documents: Sendable {
    let files: PageFiles
    let guide: Guide
    let description: APIDescription

    /// Throws when a file cannot be read.
    init(_ configuration: GatewayConfiguration) throws {
        files = try PageFiles(folder: configuration.pagesFolder)
        guide = try configuration.guideFolder.map { try Guide(folder: $0) } ?? Guide()
        description = try APIDescription(path: configuration.documentPath, guide: guide)
    }
}
