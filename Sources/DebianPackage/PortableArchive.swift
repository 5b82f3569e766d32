import Foundation

/// The archive for systems that have no package of their own: a folder that works wherever it is unpacked.
struct PortableArchive {
    let release: Release
    /// The folder for what is made on the way.
    let work: URL

    private let layout = Layout.archive

    /// Makes the archive, and returns its file.
    ///
    /// - Parameters:
    ///   - linksAnew: whether the program is linked for other systems. Else it is packed as it is.
    ///   - isQuick: whether time is saved, for a larger file.
    func make(linksAnew: Bool, isQuick: Bool) throws -> URL {
        let name = "parley-\(release.version)-linux-\(release.architecture)"
        let stage = try release.stage(in: work.appendingPathComponent(name), layout)
        var (binary, linked) = (release.binary, [Component]())
        if linksAnew {
            let link = try PortableLink(
                work.appendingPathComponent("link"),
                sources: release.root.appendingPathComponent("\(Release.sources)/archive"))
            binary = try link.link(release.binary)
            linked = try components(of: link, in: stage)
        }
        let program = try release.install(binary, in: stage, layout)
        let depends = try Dependencies.of(program, in: work)
        if linksAnew { try check(program, depends) }
        try release.fill(stage, layout, name: name, linked: linked, depends: depends)
        stage.values["GLIBC"] = try GlibcInterface.version(neededBy: program)
        stage.values["NEEDS"] =
            try linksAnew
            ? stage.filled("archive/needs").trimmed
            : "It needs these packages of Debian:\n" + depends.replacing(", ", with: "\n")
        try stage.write(stage.filled("archive/INSTALL"), to: "INSTALL")
        try stage.install(release.root.appendingPathComponent("LICENSE"), at: "LICENSE")
        for text in ["Apache-2.0"] + (linksAnew ? ["GPL-2", "GPL-3", "LGPL-2.1", "LGPL-3"] : []) {
            try stage.install(
                URL(fileURLWithPath: "/usr/share/common-licenses/\(text)"),
                at: "\(layout.documents)/\(layout.licences)/\(text)")
        }
        return try pack(name, level: isQuick ? 1 : 9)
    }

    /// The libraries that are linked in, with the versions of their source packages. Their own notices are laid into the
    /// stage: some of them want to be passed on.
    private func components(of link: PortableLink, in stage: Stage) throws -> [Component] {
        try link.libraries.map { library in
            let origin = try Dependencies.origin(of: link.place(of: library))
            try stage.install(
                URL(fileURLWithPath: "/usr/share/doc/\(origin.package)/copyright"),
                at: "\(layout.documents)/libraries/\(library.name)")
            return Component(
                name: library.name, licence: library.licence, copyright: library.copyright, version: origin.version,
                source: origin.source)
        }
    }

    /// Throws ``Failure`` if the program needs what some systems do not have. What the compiler brings is part of each.
    private func check(_ program: String, _ depends: String) throws {
        let names = depends.components(separatedBy: ", ").map { $0.prefix { $0 != " " } }
        let others = names.filter { !["libc6", "libgcc-s1"].contains($0) }
        guard others.isEmpty else {
            throw Failure("linked.json has no library for what the program needs: \(others.joined(separator: ", ")).")
        }
        // It starts, and says the same as the one that SwiftPM has linked.
        guard try Tool.output(program, "--version").trimmed == release.version else {
            throw Failure("The program of the archive does not start.")
        }
    }

    private func pack(_ name: String, level: Int) throws -> URL {
        let tar = work.appendingPathComponent("\(name).tar")
        try Tool.output(
            "tar", "--create", "--file=\(tar.path)", "--format=ustar", "--sort=name", "--mtime=@\(release.time)",
            "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--directory=\(work.path)", name)
        try Tool.output("gzip", "--force", "--no-name", "-\(level)", tar.path)
        return tar.appendingPathExtension("gz")
    }
}
