import Bounds
import Gateway
import HTTPRouting

typealias Call = Gateway.Call
typealias Route = Gateway.Route

/// The pages, the guide and the API's description, as they are served.
package struct Documents: Sendable {
    let files: PageFiles
    let guide: Guide
    let description: APIDescription
    /// The turns of pages below `/docs`, and of the document, that have to be made. One at a time is made, so the holders
    /// take turns: strangers who ask for a thousand pages keep nobody waiting but for the one that is being made.
    package let turns = PlaceLine(limit: 1, waiting: 512)

    /// Throws when a file cannot be read.
    ///
    /// - Parameters:
    ///   - pages: the path of the folder `web/`; nil to serve no pages.
    ///   - guide: the DocC catalogue with the guide's articles, whose page `Parley.md` lists them; nil serves no guide.
    ///   - document: the path of the file `openapi/openapi.yaml`; nil to serve no API description.
    package init(pages: String?, guide: String?, document: String?) throws {
        files = try PageFiles(folder: pages)
        self.guide = try guide.map { try Guide(folder: $0) } ?? Guide()
        description = try APIDescription(path: document, guide: self.guide)
    }

    /// What the customers' pages say, in all languages.
    package var customerTexts: CustomerTexts { CustomerTexts(files: files.contents(of: "texts")) }

    /// The routes of all pages.
    ///
    /// - Parameter others: groups that may answer a request to `/` for another protocol.
    package func groups(beside others: [any RouteGroup<GatewayCore>]) -> [any RouteGroup<GatewayCore>] {
        [
            RequestRoutes(), DocumentRoutes(documents: self), WidgetRoutes(documents: self),
            PageRoutes(documents: self) { request in
                for group in others { if let answer = await group.upgrade(request) { return answer } }
                return nil
            },
        ]
    }
}
