import Foundation
import HTTPRouting
import MicroHTTP
import Synchronization

/// The page of a shop, which `--demo` shows on a port of its own: it has the chat in its corner, as a shop's page has it. It
/// knows nothing of the gateway but its address.
final class DemoShop: HTTPHandler {
    private let page: String
    private let gateway = Mutex("")

    /// - Parameter page: the page, with ``place`` where the gateway's address belongs.
    init(page: String) { self.page = page }

    private static let place = "{{gateway}}"

    /// The gateway's address, such as `http://127.0.0.1:8787`; the page loads the chat from there.
    func show(_ address: String) { gateway.withLock { $0 = address } }

    func respond(to request: HTTPRequest) -> HTTPReply {
        guard request.method == "GET" || request.method == "HEAD", request.path == "/" else {
            return .now(HTTPResponse(status: 404, headers: [("Content-Type", "text/plain")], body: .bytes([])))
        }
        let address = gateway.withLock { $0 }
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src \(address); frame-src \(address)"
        return .now(
            HTTPResponse(
                status: 200,
                headers: [
                    ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                    ("Content-Security-Policy", policy + "; require-trusted-types-for 'script'; trusted-types 'none'"),
                    ("X-Content-Type-Options", "nosniff"),
                ], body: .bytes(Array(page.replacing(Self.place, with: address).utf8))))
    }
}

/// The shop's page and the server that shows it.
struct OpenShop: Sendable {
    let shop: DemoShop
    private let server: HTTPServer

    /// Opens the shop on the port behind the gateway's, or on one that the system chooses. Nil where there is no page, or no
    /// port.
    ///
    /// - Parameters:
    ///   - folder: that of the pages.
    ///   - port: the gateway's; 0 where the system chooses that.
    init?(pages folder: String, behind port: UInt16) {
        guard let file = FileManager.default.contents(atPath: "\(folder)/demo-shop.html") else { return nil }
        shop = DemoShop(page: String(decoding: file, as: UTF8.self))
        let ports = port == 0 || port == .max ? [0] : [port + 1, 0]
        for port in ports {
            let server = HTTPServer(
                configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: port)]), handler: shop)
            if (try? server.start()) != nil {
                self.server = server
                return
            }
        }
        return nil
    }

    private var port: UInt16 {
        for case .tcp(_, let port) in server.addresses { return port }
        return 0
    }

    /// By this name the page is of another site than the gateway, as a shop's is.
    var address: String { "http://localhost:\(port)" }

    /// As pages of the shop name themselves.
    var origins: [String] { [address, "http://127.0.0.1:\(port)"] }

    func close() async { await server.stop(grace: .zero) }
}
