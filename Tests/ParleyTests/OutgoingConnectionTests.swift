import Foundation
import Testing

/// Every place of the sources that opens a connection is known here, with who judges where it may lead. A new place needs
/// a line, and its judge.
@Suite struct OutgoingConnectionTests {
    /// What opens a connection, or leads to who does.
    private static let openers = [
        "ClientBootstrap(", "HTTPClient(", "AsyncHTTPPort(", "AsyncHTTPPort.keepingConnection(", "NIOSocketPort(",
        "DatagramBootstrap(", "URLSession", "getaddrinfo(", "Glibc.connect(", "connect(probe", " socket(AF_",
        " socket(\n",
        "socket(family", "connectdbParams(",
    ]

    /// Where they are used, and why each connection leads only to where it may.
    private static let known: [String: [String: String]] = [
        "HTTPClientPort/AsyncHTTPPort.swift": [
            "HTTPClient(": "asked for by a port, which has a judge",
            "AsyncHTTPPort(": "the two ways to make a port",
        ],
        "HTTPClientPort/PinnedClients.swift": [
            "HTTPClient(": "leads to the one address that a judge returned, or to Apple's service: see APNsPushApp"
        ],
        "HTTPClientPort/RelayPort.swift": ["HTTPClient(": "leads to where RequestRelay says: the active gateway"],
        "HTTPClientPort/NameResolver.swift": ["getaddrinfo(": "looks names up for the judge"],
        "CXoneService/Transport/NIOSocketPort.swift": [
            "ClientBootstrap(": "leads to an address that the port's judge returned"
        ],
        "Outbound/APNs/APNsPushApp.swift": [
            "AsyncHTTPPort.keepingConnection(": "Apple's host, or what the operator's file of apps names"
        ],
        "parley/Serving/PlatformParts.swift": ["AsyncHTTPPort(": "judge", "NIOSocketPort(": "judge"],
        "parley/Serving/OutgoingParts.swift": ["AsyncHTTPPort(": "judge"],
        "parley/Serving/SendbirdParts.swift": ["AsyncHTTPPort(": "judge"],
        "PostgresStore/Connection/PostgresConnection.swift": ["connectdbParams(": "the operator's --store"],
        "parley/Client/GatewayConnection.swift": [
            "getaddrinfo(": "the user's own --url", "Glibc.connect(": "the same", "socket(family": "the same",
        ],
        "parley/Supervisor.swift": [" socket(AF_": "the supervisor's, of the environment"],
        "CXoneSandbox/Socket/AdoptedSocket.swift": [
            "ClientBootstrap(": "takes over a connection that a client has made"
        ],
        "MicroHTTP/Server/ListeningSocket.swift": [
            "getaddrinfo(": "the operator's --listen", "connect(probe": "asks whether somebody listens there already",
            " socket(AF_": "the same", " socket(\n": "listens",
        ],
        "MicroHTTP/Loop/AcceptedSockets.swift": [" socket(AF_": "is never connected"],
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL

    /// The code of a file, without comments.
    private static func code(_ url: URL) throws -> String {
        let lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }

    private static func files() throws -> [(name: String, code: String)] {
        let all = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
            (String($0.standardizedFileURL.path.dropFirst(sources.path.count + 1)), try code($0))
        }
    }

    @Test func eachPlaceThatOpensAConnectionIsKnown() throws {
        let files = try Self.files()
        #expect(files.count > 500)
        var found: [String: Set<String>] = [:]
        for file in files {
            for opener in Self.openers where file.code.contains(opener) { found[file.name, default: []].insert(opener) }
        }
        for (name, openers) in found.sorted(by: { $0.key < $1.key }) {
            let unknown = openers.subtracting(Set((Self.known[name] ?? [:]).keys)).sorted()
            #expect(unknown.isEmpty, "\(name) opens connections: which judge do they pass?")
        }
        for (name, reasons) in Self.known {
            #expect(Set(reasons.keys).isSubset(of: found[name] ?? []), "\(name) does not do that any more")
        }
    }

    /// The ports of the running gateway: each has a judge, by who chose the address.
    @Test func thePortsOfTheGatewayHaveAJudge() throws {
        var count = 0
        for file in try Self.files() where file.name.hasPrefix("parley/") {
            for port in ["AsyncHTTPPort(", "NIOSocketPort("] {
                for use in file.code.components(separatedBy: port).dropFirst() {
                    count += 1
                    #expect(use.hasPrefix("judge: rules.judge(."), "\(file.name): \(port)\(use.prefix(40))")
                }
            }
        }
        #expect(count == 8)
    }
}
