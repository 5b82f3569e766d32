import Foundation
import PackagePlugin

/// Something of others that is linked into the program.
struct Component {
    var name: String
    /// The component that brings this one along; nil for packages, and for what comes with the toolchain.
    var within: String?
    /// An SPDX expression.
    var licence: String
    var copyright: String
    /// The package as Package.resolved names it; nil for what is none.
    var location: String?
    var version: String?
    var revision: String?
    /// The source package of Debian that it was made of, of this version; nil for what Debian has not made.
    var source: String?
    /// Where the package's sources are.
    var folder: URL?

    /// What Package.resolved names, with the table's licences, and what these packages and the toolchain bring along.
    /// In the order of the table. Throws ``Failure`` for a package that the table does not know.
    static func all(_ package: Package, table: String) throws -> [Component] {
        struct Row: Decodable {
            var name: String
            var within: String?
            var licence: String
            var copyright: String
        }
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable {
                    var version: String?
                    var revision: String
                }
                var identity: String
                var location: String
                var state: State
            }
            var pins: [Pin]
        }
        let rows = try JSONDecoder().decode([Row].self, from: Data(table.utf8))
        let resolved = try JSONDecoder().decode(
            Resolved.self, from: Data(contentsOf: package.directoryURL.appendingPathComponent("Package.resolved")))
        if let unknown = resolved.pins.first(where: { pin in !rows.contains { $0.name == pin.identity } }) {
            throw Failure("components.json has no licence for \(unknown.identity).")
        }
        let folders = folders(of: package)
        let swift = try Tool.output("swift", "--version")
        return rows.compactMap { row in
            let pin = resolved.pins.first { $0.identity == row.name }
            var component = Component(
                name: row.name, within: row.within, licence: row.licence, copyright: row.copyright,
                location: pin?.location, version: pin?.state.version, revision: pin?.state.revision,
                folder: folders[row.name])
            guard pin == nil else { return component }
            // What a package brings along is there if the package is.
            if let within = row.within, rows.contains(where: { $0.name == within && $0.within == nil }) {
                let isThere = resolved.pins.contains { $0.identity == within }
                return isThere || within.hasPrefix("Swift runtime") ? component : nil
            }
            guard row.name.hasPrefix("Swift runtime") else { return nil }
            component.version = swift.firstMatch(of: /Swift version ([0-9.]+)/).map { String($0.1) }
            return component
        }
    }

    /// Where the sources of all packages are, by identity.
    private static func folders(of package: Package) -> [String: URL] {
        var found: [String: URL] = [:]
        var left = package.dependencies.map(\.package)
        while let next = left.popLast() {
            guard found[next.id.description] == nil else { continue }
            found[next.id.description] = next.directoryURL
            left += next.dependencies.map(\.package)
        }
        return found
    }
}

/// What Debian wants to know about rights (machine-readable, version 1.0), and the notices of the packages.
enum Copyright {
    static func text(_ components: [Component], licences: String) -> String {
        var text = """
            Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
            Upstream-Name: Parley
            Comment: The program has the components below linked in. Their versions are
             in parley.spdx.json, and their own notices in NOTICE.gz.

            Files: *
            Copyright: 2026 the Parley authors
            License: Apache-2.0


            """
        for component in components {
            let name = component.name.replacingOccurrences(of: " ", with: "-")
            text +=
                "Files: \(component.within.map { $0.replacingOccurrences(of: " ", with: "-") + "/" } ?? "")\(name)/*\n"
            text += "Copyright: \(component.copyright)\n"
            text += "License: \(component.licence.replacingOccurrences(of: " AND ", with: " and "))\n\n"
        }
        return text + licences
    }

    /// The files NOTICE.txt, which their licence wants to be passed on.
    static func notices(_ components: [Component]) -> String {
        components.compactMap { component in
            let file = component.folder?.appendingPathComponent("NOTICE.txt")
            guard let file, let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            return "==== \(component.name)\n\n\(text)"
        }.joined(separator: "\n")
    }
}
