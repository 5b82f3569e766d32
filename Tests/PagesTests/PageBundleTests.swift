import Testing

@testable import Pages

/// The modules of the pages, in few files. Tests/Browser runs them; here is how they are read and cut.
@Suite struct PageBundleTests {
    @Test func aModuleIsReadAsThePagesWriteIt() throws {
        let module = try #require(
            ModuleSource(
                """
                /** @param {import('../types.js').One} one */
                import { a, b as c } from '../one.js';
                import {
                  d,
                  e,
                } from './two.js';
                import './three.js';
                export { f, g as h } from './four.js';
                export class Five {}
                export async function* six() {}
                export const seven = 7;
                const eight = new Worker(new URL('./work.js', import.meta.url));
                export { eight as nine };
                /* Of several
                 * lines */
                  // of one
                /* before */ code(); // behind
                """, path: "assets/page.js"))
        #expect(
            module.imports == [
                .init(path: "one.js", names: [.init(exported: "a", local: "a"), .init(exported: "b", local: "c")]),
                .init(
                    path: "assets/two.js", names: [.init(exported: "d", local: "d"), .init(exported: "e", local: "e")]),
                .init(path: "assets/three.js", names: []),
            ])
        #expect(
            module.passed == [
                .init(
                    path: "assets/four.js", names: [.init(exported: "f", local: "f"), .init(exported: "g", local: "h")])
            ])
        #expect(module.exports.map(\.exported) == ["Five", "six", "seven", "nine"])
        #expect(module.exports.map(\.local) == ["Five", "six", "seven", "eight"])
        #expect(module.workers == ["assets/work.js"])
        #expect(
            module.code == """








                class Five {}
                async function* six() {}
                const seven = 7;
                const eight = new Worker(new URL('./work.js', import.meta.url));




                /* before */ code(); // behind

                """)
    }

    @Test(arguments: [
        "import * as all from './a.js';", "import a from './a.js';", "import { a } from 'a';",
        "export const { a } = b;", "const a = await import('./a.js');", "import { a } from '../../a.js';",
        "import { a", "export * from './a.js';", "/* a\n*/ b();",
    ])
    func whatItDoesNotUnderstandIsLeftAlone(_ text: String) {
        #expect(ModuleSource(text, path: "assets/page.js") == nil)
    }

    private static let files = [
        "a.html": """
        <link rel="stylesheet" href="/web/-/x.css">
        <link rel="stylesheet" href="/web/-/y.css">
        <script type="module" src="/web/-/assets/a.js"></script>
        """,
        "b.html": "<script type=\"module\" src=\"/web/-/assets/b.js\"></script>",
        "x.css": "x{}", "y.css": "y{}",
        "assets/a.js": "import { one } from '../one.js';\nimport { own } from './own.js';\none(own);",
        "assets/b.js": "import { one as first } from '../one.js';\nawait first(new URL('./work.js', import.meta.url));",
        "assets/own.js": "export const own = 1;",
        "one.js": "import { two } from './two.js';\nexport function one() { two(); }",
        "two.js": "export function two() {}",
        "assets/work.js": "import { two } from '../two.js';\ntwo();",
    ]

    /// As the tables of texts are written.
    @Test func aDefaultExportHasANameInTheJoinedScript() throws {
        let module = try #require(ModuleSource("export default {\n  \"a\": 1\n};\n", path: "texts/en.js"))
        #expect(module.exports.map(\.exported) == ["default"])
        #expect(module.code.hasPrefix("const \(module.exports[0].local) = {"))
        let user = try #require(
            ModuleSource("import { default as english } from '../texts/en.js';", path: "assets/texts.js"))
        #expect(user.imports == [.init(path: "texts/en.js", names: [.init(exported: "default", local: "english")])])
    }

    @Test func eachModuleIsInOneScript() throws {
        let bundles = PageBundles(pages: ["a.html", "b.html"]) { Self.files[$0] }
        let shared = try #require(bundles.files["bundle/shared.js"])
        let (first, second) = (try #require(bundles.files["assets/a.js"]), try #require(bundles.files["assets/b.js"]))
        for text in ["function one()", "function two()"] {
            #expect(shared.ranges(of: text).count == 1 && !first.contains(text) && !second.contains(text), "\(text)")
        }
        #expect(first.contains("const own = 1;") && !second.contains("own"))
        #expect(first.contains(" } from '../bundle/shared.js';") && second.contains("{ one: first } = module$"))
        #expect(second.contains("new URL('./work.js', new URL('../assets/b.js', import.meta.url).href)"))
        // Who imports a module by its own address gets the page's own.
        let passing = try #require(bundles.files["one.js"])
        #expect(passing.contains("from './bundle/shared.js';") && passing.contains("export const { one } = module$"))
        #expect(bundles.files["assets/own.js"]?.contains("from '../assets/a.js';") == true)
        // A worker lives apart, so it has its own.
        #expect(bundles.files["assets/work.js"]?.contains("function two()") == true)
        #expect(
            bundles.pages["a.html"] == """
                  <link rel="stylesheet" href="/web/-/bundle/a.css">
                  <link rel="modulepreload" href="/web/-/bundle/shared.js">
                <script type="module" src="/web/-/assets/a.js"></script>
                """)
        #expect(bundles.files["bundle/a.css"] == "x{}\ny{}")
    }

    /// Its customers wait for it on slow lines, and see no other page.
    @Test func theChatPageHasAllModulesInAScriptOfItsOwn() throws {
        var files = Self.files
        files["index.html"] = "<script type=\"module\" src=\"/web/-/assets/b.js\"></script>"
        let bundles = PageBundles(pages: ["a.html", "index.html"]) { files[$0] }
        #expect(
            bundles.pages["index.html"] == "<script type=\"module\" src=\"/web/-/chat/assets/b.js\"></script>")
        let script = try #require(bundles.files["chat/assets/b.js"])
        #expect(script.contains("function one()") && script.contains("function two()") && !script.contains("import {"))
        #expect(script.contains("new URL('./work.js', new URL('../../assets/b.js', import.meta.url).href)"))
        #expect(bundles.files["chat/one.js"]?.contains("from '../chat/assets/b.js';") == true)
        // The other page shares nothing with it.
        #expect(bundles.files["bundle/shared.js"] == nil)
        #expect(bundles.files["assets/a.js"]?.contains("function one()") == true)
    }

    @Test(arguments: [
        ("two.js", "import { one } from './one.js';\nexport function two() { one(); }"),
        ("two.js", "export let two = 2;"), ("one.js", "import { two } from './missing.js';\nexport function one() {}"),
    ])
    func pagesThatCannotBeJoinedAreServedFileByFile(_ name: String, _ text: String) {
        let bundles = PageBundles(pages: ["a.html", "b.html"]) { $0 == name ? text : Self.files[$0] }
        #expect(bundles.files.isEmpty && bundles.pages.isEmpty)
    }
}
