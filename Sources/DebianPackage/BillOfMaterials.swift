import Foundation

/// What the package is made of, and what it needs, as SPDX 2.3 (JSON).
struct BillOfMaterials {
    /// The package's name, with its version and what it is for.
    var name: String
    var version: String
    var architecture: String
    var time: Int
    var components: [Component]
    /// The value of `Depends:`.
    var depends: String
    /// The program's place in the package.
    var program: String
    /// SHA-256 of the program, in hexadecimal.
    var digest: String

    func json() throws -> String {
        var packages: [[String: Any]] = [
            [
                "SPDXID": "SPDXRef-parley", "name": "parley", "versionInfo": version, "downloadLocation": "NOASSERTION",
                "filesAnalyzed": false, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
                "copyrightText": "2026 the Parley authors", "primaryPackagePurpose": "APPLICATION",
                "checksums": [["algorithm": "SHA256", "checksumValue": digest]],
                "comment": "The checksum is that of \(program).",
            ]
        ]
        var relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-parley")]
        for component in components {
            packages.append(entry(of: component))
            let holder = component.within.map { name in components.first { $0.name == name && $0.within == nil } }
            relations.append(
                holder.flatMap { $0 }.map { relation(id(of: $0), "CONTAINS", id(of: component)) }
                    ?? relation("SPDXRef-parley", "STATIC_LINK", id(of: component)))
        }
        for library in depends.components(separatedBy: ", ") {
            let name = library.prefix { $0 != " " }
            let key = "SPDXRef-deb-\(Self.allowed(String(name)))"
            packages.append([
                "SPDXID": key, "name": String(name), "downloadLocation": "NOASSERTION", "filesAnalyzed": false,
                "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
                "comment": "Depends: \(library)",
                "externalRefs": [reference("pkg:deb/debian/\(name)?arch=\(architecture)")],
            ])
            relations.append(relation("SPDXRef-parley", "DYNAMIC_LINK", key))
        }
        let document: [String: Any] = [
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": name,
            "documentNamespace": "https://spdx.org/spdxdocs/\(name)-\(digest)",
            "creationInfo": [
                "created": Release.text(of: time, "yyyy-MM-dd'T'HH:mm:ss'Z'"),
                "creators": ["Tool: swift-package-package-debian"],
            ],
            "packages": packages, "relationships": relations,
        ]
        let data = try JSONSerialization.data(
            withJSONObject: document, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private func entry(of component: Component) -> [String: Any] {
        var entry: [String: Any] = [
            "SPDXID": id(of: component), "name": component.name, "filesAnalyzed": false,
            "downloadLocation": "NOASSERTION", "licenseConcluded": component.licence,
            "licenseDeclared": component.licence, "copyrightText": component.copyright,
        ]
        entry["versionInfo"] = component.version ?? component.revision
        if let location = component.location, let revision = component.revision {
            let place = location.hasSuffix(".git") ? String(location.dropLast(4)) : location
            entry["downloadLocation"] = "git+\(place)@\(revision)"
            let name = place.replacingOccurrences(of: "https://", with: "")
            entry["externalRefs"] = [reference("pkg:swift/\(name)@\(component.version ?? revision)")]
        }
        if let source = component.source, let version = component.version {
            // For ever, whereas mirrors have the newest only.
            entry["downloadLocation"] = "https://snapshot.debian.org/package/\(source)/\(version)/"
            let escaped = version.replacing("+", with: "%2B").replacing(":", with: "%3A")
            entry["externalRefs"] = [reference("pkg:deb/debian/\(source)@\(escaped)?arch=source")]
        }
        return entry
    }

    private func reference(_ locator: String) -> [String: String] {
        ["referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator]
    }

    private func relation(_ from: String, _ type: String, _ to: String) -> [String: String] {
        ["spdxElementId": from, "relationshipType": type, "relatedSpdxElement": to]
    }

    private func id(of component: Component) -> String {
        "SPDXRef-\(Self.allowed((component.within.map { $0 + "-" } ?? "") + component.name))"
    }

    /// Letters, digits, `.` and `-`.
    private static func allowed(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" })
    }
}
