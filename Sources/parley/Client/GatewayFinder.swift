import Formats
import Foundation

/// Finds the running gateway, and the token for it.
///
/// The first of these that is there counts: `--gateway`, `PARLEY_GATEWAY`; the file `address` or `socket` of the data
/// folder; `$XDG_RUNTIME_DIR/parley.sock`; `/run/parley.sock`. If the data folder was named, only this folder counts.
/// A gateway that comes back may have another address, so each request looks anew.
struct GatewayFinder {
    /// A gateway, and where its address was found.
    struct Found {
        var address: GatewayAddress
        /// Nil when there is none. Over a UNIX socket the gateway's own user needs none.
        var token: String?
        var place: String
    }

    /// `--gateway`
    var gateway: String?
    /// `--token-file`
    var tokenFile: String?
    /// The data folder.
    var folder: String
    /// Whether somebody has named the folder, so that no other gateway is meant.
    var isFolderNamed: Bool
    var environment: [String: String]

    /// Reads the files anew. Throws ``CommandFailure``.
    func find() throws(CommandFailure) -> Found {
        var (address, place) = try address()
        var token: String?
        if let tokenFile {
            guard let line = DataFolder.line(tokenFile) else {
                throw .usage("The file \(tokenFile) holds no token, or cannot be read.")
            }
            token = line
        } else if let variable = environment["PARLEY_TOKEN"], !variable.isEmpty {
            token = variable
        } else if isFolderNamed || ownAddress?.address == address {
            // The folder's token goes to the folder's gateway, and to no other that somebody may have put there.
            token = DataFolder.line(folder + "/token")
            if token == nil, access(folder + "/token", R_OK) != 0, errno == EACCES {
                throw CommandFailure(
                    .noPermission, code: "closedFolder",
                    "The token of the data folder \(folder) is another user's. Run the command as that user, or name a "
                        + "file with a token: --token-file FILE.")
            }
        }
        if let token, token.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            throw .usage("The token has characters that no token has.")
        }
        place = place.isEmpty ? "" : " (\(place))"
        return Found(address: address, token: token, place: place)
    }

    private func address() throws(CommandFailure) -> (address: GatewayAddress, place: String) {
        for (text, name) in [(gateway, "--gateway"), (environment["PARLEY_GATEWAY"], "PARLEY_GATEWAY")] {
            guard let text, !text.isEmpty else { continue }
            guard let address = GatewayAddress(text) else {
                throw .usage("\(name) must be http://HOST:PORT or unix:PATH, not \(text.shownSafely).")
            }
            return (address, name)
        }
        if let own = ownAddress { return own }
        if isClosedFolder {
            throw CommandFailure(
                .noPermission, code: "closedFolder",
                "The data folder \(folder) is another user's. Run the command as that user, or name the gateway and a "
                    + "file with its token: --gateway http://HOST:PORT --token-file FILE.")
        }
        var places = ["\(folder)/address", "\(folder)/socket"]
        if !isFolderNamed {
            let runtime = environment["XDG_RUNTIME_DIR"].map { $0 + "/parley.sock" }
            for path in [runtime, "/run/parley.sock"].compactMap({ $0 }) {
                if FileManager.default.fileExists(atPath: path) { return (.unix(path: path), "") }
                places.append(path)
            }
        }
        throw CommandFailure(
            .unreachable, code: "noGateway",
            "No gateway is running: there is none of \(places.joined(separator: ", ")). Start one with parley, or name "
                + "it with --gateway or --data.")
    }

    /// Whether there may be a gateway of the folder, but this user may not look.
    private var isClosedFolder: Bool {
        ["address", "socket"].contains { access("\(folder)/\($0)", R_OK) != 0 && errno == EACCES }
    }

    /// What the data folder says.
    private var ownAddress: (address: GatewayAddress, place: String)? {
        if let line = DataFolder.line(folder + "/address"), let address = GatewayAddress(line) {
            return (address, "from \(folder)/address")
        }
        return DataFolder.line(folder + "/socket").map { (.unix(path: $0), "from \(folder)/socket") }
    }
}

/// Where a gateway listens, as commands reach it: `http://HOST:PORT` or `unix:PATH`.
enum GatewayAddress: Equatable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// Nil for any other form. Without a port it is 8787, the port on which a gateway listens unless it is told
    /// otherwise. A slash at the end of a URL is allowed.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { return nil }
            self = .unix(path: path)
            return
        }
        guard text.hasPrefix("http://") else { return nil }
        var authority = text.dropFirst(7)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        var port: UInt16 = 8787
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let given = UInt16(digits: authority[authority.index(after: colon)...]), given > 0 else { return nil }
            port = given
            authority = authority[..<colon]
        }
        if authority.hasPrefix("["), authority.hasSuffix("]") { authority = authority.dropFirst().dropLast() }
        guard !authority.isEmpty, !authority.contains("[") else { return nil }
        self = .tcp(host: String(authority), port: port)
    }

    /// The form in which `--gateway` takes it.
    var description: String {
        switch self {
        case .tcp: "http://\(authority)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// The value of the Host header.
    var authority: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix: "localhost"
        }
    }
}
