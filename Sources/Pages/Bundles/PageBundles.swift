import Foundation

/// What pages load, in few files: the modules of a page in two scripts, its styles in one.
///
/// Modules that one page alone uses are in the script that the page names; those of several pages are in a script that
/// they share. So each module is in one script, and runs once. Under its own address stands a module that passes its
/// names on from there: whoever imports it gets the page's own. A worker's script has all that it uses.
///
/// A module becomes a block, so that its names stay its own, and the names that it exports become members of one
/// object. This needs modules as ``ModuleSource`` takes them, without circles among their imports. Pages with others
/// are served file by file.
///
/// A page for customers has a script of its own, with all that it uses: who opens it sees no other page of the gateway. So has
/// the chat page, in a folder of its own, where its modules have their addresses, too. The page for customers and its style are
/// sent without comments and blanks, because customers wait for them on slow lines.
struct PageBundles {
    /// What stands for the version in the addresses of pages.
    static let placeholder = "/web/-/"
    /// What stands for the settings in a page for customers.
    static let settings = "<!--settings-->"

    /// The script by which pages of others show the chat. It is sent as small as it gets: each of their pages loads it.
    private static let loader = "widget.js"
    private static let shared = "bundle/shared.js"
    /// Pages with a script of their own, and its folder.
    private static let apart = ["index.html": "chat"]

    /// Files instead of those in `web/`, and beside them, by path.
    private(set) var files: [String: String] = [:]
    /// The pages with the bundles in their links.
    private(set) var pages: [String: String] = [:]

    private var modules: [String: ModuleSource] = [:]
    /// The number of a module in the names of the bundles.
    private var numbers: [String: Int] = [:]

    /// - Parameter text: the file of that path in `web/`; nil if there is none.
    init(pages names: [String], text: (String) -> String?) {
        if let loader = text(Self.loader) {
            files[Self.loader] = String(decoding: ShortNames(TightScript(loader)).text, as: UTF8.self)
        }
        var entries: [String: [String]] = [:]
        var entriesApart: [(entry: String, order: [String], folder: String)] = []
        for name in names.sorted() {
            guard let page = text(name) else { continue }
            pages[name] = page
            if page.contains(Self.settings) {
                joinAlone(page, text: text)
                continue
            }
            for script in Self.addresses(after: "<script type=\"module\" src=\"", in: page) {
                guard let order = order(from: script, text: text) else {
                    pages = [:]
                    return
                }
                if let folder = Self.apart[name] {
                    entriesApart.append((script, order, folder))
                } else {
                    entries[script] = order
                }
            }
        }
        join(entries)
        for (entry, order, folder) in entriesApart { joinApart(entry, order, in: folder) }
        for worker in Set(modules.values.flatMap(\.workers)).sorted() {
            if let order = order(from: worker, text: text) { files[worker] = script(order, at: worker, needing: [:]) }
        }
        for (name, page) in pages where !page.contains(Self.settings) {
            pages[name] = linked(page, as: name, text: text)
        }
    }

    /// Makes the script of a page for customers, and its style.
    private mutating func joinAlone(_ page: String, text: (String) -> String?) {
        for entry in Self.addresses(after: "<script type=\"module\" src=\"", in: page) {
            guard let order = order(from: entry, text: text) else { continue }
            let tight = TightScript(script(order, at: entry, needing: [:]))
            files[entry] = String(decoding: tight.text, as: UTF8.self)
        }
        for path in Self.addresses(after: "<link rel=\"stylesheet\" href=\"", in: page) {
            guard let sheet = text(path) else { continue }
            files[path] = String(decoding: TightStyle(sheet.utf8).text, as: UTF8.self)
        }
    }

    // MARK: Modules

    /// The modules that a module needs, each behind those that it needs itself; nil if they cannot be joined.
    private mutating func order(from entry: String, text: (String) -> String?) -> [String]? {
        var (order, open): ([String], Set<String>) = ([], [])
        func visit(_ path: String, _ bundles: inout PageBundles) -> Bool {
            if order.contains(path) { return true }
            guard open.insert(path).inserted, let module = bundles.module(path, text: text) else { return false }
            for other in module.imports + module.passed where !visit(other.path, &bundles) { return false }
            order.append(path)
            return true
        }
        return visit(entry, &self) ? order : nil
    }

    private mutating func module(_ path: String, text: (String) -> String?) -> ModuleSource? {
        if let known = modules[path] { return known }
        guard let source = text(path), let module = ModuleSource(source, path: path) else { return nil }
        numbers[path] = numbers.count
        modules[path] = module
        return module
    }

    /// Makes the scripts of the pages, and what stands at the other modules' addresses.
    private mutating func join(_ entries: [String: [String]]) {
        var uses: [String: Int] = [:]
        for path in entries.values.joined() { uses[path, default: 0] += 1 }
        let together = entries.sorted { $0.key < $1.key }.flatMap(\.value).filter { uses[$0, default: 0] > 1 }
        var places: [String: String] = [:]
        for path in together { places[path] = Self.shared }
        var shared: [String] = []
        for path in together where !shared.contains(path) { shared.append(path) }
        if !shared.isEmpty { files[Self.shared] = script(shared, at: Self.shared, needing: [:]) }
        for (entry, order) in entries where places[entry] == nil {
            let own = order.filter { places[$0] == nil }
            files[entry] = script(own, at: entry, needing: places)
            for path in own { places[path] = entry }
        }
        for (path, place) in places where path != place { files[path] = passing(path, at: path, from: place) }
    }

    /// Makes the script of a page that has all of its modules for itself, and what stands at their addresses in its folder.
    private mutating func joinApart(_ entry: String, _ order: [String], in folder: String) {
        let place = "\(folder)/\(entry)"
        for path in order { files["\(folder)/\(path)"] = passing(path, at: "\(folder)/\(path)", from: place) }
        files[place] = script(order, at: place, needing: [:])
    }

    /// The modules as one script, in this order.
    ///
    /// - Parameter places: where the modules are that it imports.
    private func script(_ order: [String], at place: String, needing places: [String: String]) -> String {
        var script = ""
        let missing = Set(order.flatMap { modules[$0].map { $0.imports + $0.passed } ?? [] }.map(\.path))
            .subtracting(order).sorted()
        for (from, paths) in Dictionary(grouping: missing, by: { places[$0] ?? "" }).sorted(by: { $0.key < $1.key }) {
            script +=
                "import { \(paths.map(name).joined(separator: ", ")) } from '\(Self.way(to: from, from: place))';\n"
        }
        for path in order {
            guard let module = modules[path] else { continue }
            let address = "new URL('\(Self.way(to: path, from: place))', import.meta.url).href"
            script += "let \(name(of: path)); { // \(path)\n"
            for other in module.imports where !other.names.isEmpty {
                let names = other.names.map { $0.exported == $0.local ? $0.local : "\($0.exported): \($0.local)" }
                script += "const { \(names.joined(separator: ", ")) } = \(name(of: other.path));\n"
            }
            script += module.code.replacing("import.meta.url", with: address)
            let own = module.exports.map { $0.exported == $0.local ? $0.local : "\($0.exported): \($0.local)" }
            let passed = module.passed.flatMap { other in
                other.names.map { "\($0.local): \(name(of: other.path)).\($0.exported)" }
            }
            script += "\(name(of: path)) = { \((own + passed).joined(separator: ", ")) };\n}\n"
        }
        return script + "export { \(order.map(name).joined(separator: ", ")) };\n"
    }

    /// The module that stands at a module's own address.
    private func passing(_ path: String, at address: String, from place: String) -> String {
        let module = modules[path]
        let names = (module?.exports ?? []).map(\.exported) + (module?.passed ?? []).flatMap { $0.names.map(\.local) }
        let start = "import { \(name(of: path)) } from '\(Self.way(to: place, from: address))';\n"
        let named = names.filter { $0 != "default" }
        return start
            + (named.isEmpty ? "" : "export const { \(named.joined(separator: ", ")) } = \(name(of: path));\n")
            + (names.contains("default") ? "export default \(name(of: path)).default;\n" : "")
    }

    /// The variable of a script that has what a module exports.
    private func name(of path: String) -> String { "module$\(numbers[path] ?? 0)" }

    /// The relative address of a file.
    private static func way(to path: String, from place: String) -> String {
        let steps = place.utf8.count { $0 == UInt8(ascii: "/") }
        return (steps == 0 ? "./" : String(repeating: "../", count: steps)) + path
    }

    // MARK: Pages

    /// A page whose style sheets are one file, with a link by which browsers load the shared script at once.
    private mutating func linked(_ page: String, as name: String, text: (String) -> String?) -> String {
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let isStyle = { (line: String) in line.contains("<link rel=\"stylesheet\" href=\"\(Self.placeholder)") }
        let styles = lines.filter(isStyle).flatMap { Self.addresses(after: "<link rel=\"stylesheet\" href=\"", in: $0) }
        let sheets = styles.compactMap(text)
        // What a sheet names relative to itself would not be found from elsewhere.
        if styles.count > 1, sheets.count == styles.count,
            !sheets.contains(where: { $0.contains("url(") || $0.contains("@import") }),
            let first = lines.firstIndex(where: isStyle)
        {
            let path = "bundle/\(name.dropLast(".html".count)).css"
            files[path] = sheets.joined(separator: "\n")
            lines[first] = "  <link rel=\"stylesheet\" href=\"\(Self.placeholder)\(path)\">"
            lines = lines.enumerated().filter { $0.offset == first || !isStyle($0.element) }.map(\.element)
        }
        if let folder = Self.apart[name] {
            let start = "<script type=\"module\" src=\"\(Self.placeholder)"
            lines = lines.map { $0.replacing(start, with: "\(start)\(folder)/") }
        } else if files[Self.shared] != nil,
            let script = lines.firstIndex(where: { $0.contains("<script type=\"module\" src=\"\(Self.placeholder)") })
        {
            lines.insert("  <link rel=\"modulepreload\" href=\"\(Self.placeholder)\(Self.shared)\">", at: script)
        }
        return lines.joined(separator: "\n")
    }

    /// The paths of the versioned addresses that follow a text.
    private static func addresses(after start: String, in page: String) -> [String] {
        page.split(separator: start + placeholder, omittingEmptySubsequences: false).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
    }
}
