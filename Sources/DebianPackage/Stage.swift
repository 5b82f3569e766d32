import Foundation

/// The folder in which the files of the package are laid out, as they will lie in the file system.
final class Stage {
    private let folder: URL
    private let templates: String
    /// What stands for `@NAME@` in templates.
    var values: [String: String] = [:]

    private let files = FileManager.default

    /// Makes the folder anew.
    init(_ folder: URL, templates: String) throws {
        (self.folder, self.templates) = (folder, templates)
        try? files.removeItem(at: folder)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Where a file of the package lies now.
    func path(_ place: String) -> String { folder.appendingPathComponent(place).path }

    /// The text of a template as it is.
    func template(_ name: String) throws -> String {
        try String(contentsOfFile: "\(templates)/\(name)", encoding: .utf8)
    }

    /// The text of a template with its values. Throws ``Failure`` if one is missing.
    func filled(_ name: String) throws -> String {
        var text = try template(name)
        for (name, value) in values { text = text.replacingOccurrences(of: "@\(name)@", with: value) }
        guard let missing = text.range(of: "@[A-Z_]+@", options: .regularExpression) else { return text }
        throw Failure("The template \(name) has no value for \(text[missing]).")
    }

    /// Writes a file of mode 0644, or with `.gz` at its end.
    func write(_ text: String, to place: String, isCompressed: Bool = false) throws {
        let path = path(place)
        try makeFolder(of: path)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        if isCompressed { try Tool.output("gzip", "-9", "--no-name", path) }
        try set(isCompressed ? path + ".gz" : path, 0o644)
    }

    /// Copies a file, or a folder with all its files. Hidden files stay behind.
    func install(_ source: URL, at place: String, mode: Int = 0o644) throws {
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: source.path, isDirectory: &isFolder) else {
            throw Failure("\(source.path) is missing.")
        }
        guard isFolder.boolValue else {
            try makeFolder(of: path(place))
            try files.copyItem(atPath: source.path, toPath: path(place))
            return try set(path(place), mode)
        }
        for name in try files.contentsOfDirectory(atPath: source.path) where !name.hasPrefix(".") {
            try install(source.appendingPathComponent(name), at: "\(place)/\(name)", mode: mode)
        }
    }

    /// Adds what describes the package to `dpkg`, and packs all. Returns the package's file.
    func pack(into work: URL, compression: String, time: Int) throws -> URL {
        let names = try files.subpathsOfDirectory(atPath: folder.path).sorted()
        var (sums, size) = ("", 0)
        for name in names {
            let type = try files.attributesOfItem(atPath: path(name))
            guard type[.type] as? FileAttributeType == .typeRegular else {
                try set(path(name), 0o755)
                size += 1
                continue
            }
            // As dpkg-gencontrol counts: whole KiB of each file, and one for each folder.
            size += ((type[.size] as? Int ?? 0) + 1023) / 1024
            // The settings of the machine's owner are not among the sums.
            if name.hasPrefix("etc/") { continue }
            sums += try "\(Tool.output("md5sum", path(name)).prefix(32))  \(name)\n"
        }
        values["SIZE"] = String(size)
        try write(sums, to: "DEBIAN/md5sums")
        try write(
            names.filter { $0.hasPrefix("etc/") && !isFolder($0) }.map { "/\($0)\n" }.joined(), to: "DEBIAN/conffiles")
        try write(filled("debian/control"), to: "DEBIAN/control")
        try set(path("DEBIAN"), 0o755)
        let file = work.appendingPathComponent(
            "parley_\(values["VERSION"] ?? "")_\(values["ARCHITECTURE"] ?? "").deb")
        // One thread: with more, the bytes could depend on their number.
        try Tool.output(
            "dpkg-deb", "--root-owner-group", "-Z\(compression)", "-z9", "--threads-max=1", "--build", folder.path,
            file.path,
            environment: ["SOURCE_DATE_EPOCH": String(time)])
        return file
    }

    private func isFolder(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        return files.fileExists(atPath: path(name), isDirectory: &isFolder) && isFolder.boolValue
    }

    private func makeFolder(of path: String) throws {
        try files.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private func set(_ path: String, _ mode: Int) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
