import Foundation
import PackagePlugin

/// `swift package package-debian [--binary PATH] [--compression xz|zstd]`: makes a Debian package of the gateway for
/// this machine's architecture, and an archive for other systems, and prints their paths.
///
/// The same binary gives the same bytes: times in the packages are those of `SOURCE_DATE_EPOCH`, or else of the last
/// commit. `DEBFULLNAME` and `DEBEMAIL` name the maintainer.
@main
struct PackageDebian: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let given = extractor.extractOption(named: "binary").last
        let compression = extractor.extractOption(named: "compression").last ?? "xz"
        guard extractor.remainingArguments.isEmpty, ["xz", "zstd"].contains(compression) else {
            throw Failure("usage: swift package package-debian [--binary PATH] [--compression xz|zstd]")
        }
        let release = try Release(
            context,
            binary: given.map { URL(fileURLWithPath: $0) }
                ?? build(context.package.directoryURL, work: context.pluginWorkDirectoryURL))
        if try Dependencies.needSwift(release.binary.path) {
            Diagnostics.warning(
                "The binary needs a Swift runtime, which the packages do not bring. Build it with --static-swift-stdlib."
            )
        }
        let work = context.pluginWorkDirectoryURL
        let package = try makePackage(of: release, in: work, compression: compression)
        let archive = try PortableArchive(release: release, work: work).make(
            linksAnew: given == nil, isQuick: compression == "zstd")
        print(package.path)
        print(archive.path)
    }

    /// The release build with the Swift runtime linked in: it runs where there is no toolchain. Its paths do not depend
    /// on the folder of the sources.
    private func build(_ root: URL, work: URL) throws -> URL {
        let objects = work.appendingPathComponent("unicode")
        try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
        var parameters = PackageManager.BuildParameters(configuration: .release, logging: .concise, echoLogs: true)
        parameters.otherSwiftcFlags = ["-static-stdlib", "-gnone", "-file-prefix-map", "\(root.path)=."]
        parameters.otherCFlags = ["-g0", "-ffile-prefix-map=\(root.path)=."]
        // The linker keeps one copy of functions with identical code, and packs the relocation table. Both make the
        // program 5 % smaller. The C library of Debian 12 can read a packed table.
        parameters.otherLinkerFlags =
            try ["--no-export-dynamic", "--icf=all", "-z", "pack-relative-relocs"]
            + UnicodeData.options(in: objects, clang: Tool.clang())
        let result = try packageManager.build(.product("parley"), parameters: parameters)
        guard result.succeeded, let binary = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw Failure("parley could not be built:\n\(result.logText)")
        }
        return binary.url
    }

    private func makePackage(of release: Release, in work: URL, compression: String) throws -> URL {
        let stage = try release.stage(in: work.appendingPathComponent("parley"), .debian)
        let environment = ProcessInfo.processInfo.environment
        let (name, address) = (environment["DEBFULLNAME"], environment["DEBEMAIL"])
        stage.values["VERSION"] = "\(release.version)-1"
        stage.values["RFC_DATE"] = Release.text(of: release.time, "EEE, dd MMM yyyy HH:mm:ss '+0000'")
        stage.values["MAINTAINER"] = "\(name ?? "Parley") <\(address ?? "parley@packages.invalid")>"
        let program = try release.install(release.binary, in: stage, .debian)
        let depends = try Dependencies.of(program, in: work)
        stage.values["DEPENDS"] = depends
        try release.fill(
            stage, .debian, name: "parley_\(release.version)-1_\(release.architecture)", depends: depends)
        try stage.write(stage.filled("debian/lintian-overrides"), to: "usr/share/lintian/overrides/parley")
        try stage.write(
            stage.filled("debian/changelog"), to: "\(Layout.debian.documents)/changelog.Debian", isCompressed: true)
        return try stage.pack(into: work, compression: compression, time: release.time)
    }
}
