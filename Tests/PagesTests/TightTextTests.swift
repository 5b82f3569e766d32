import Testing

@testable import Pages

/// Scripts and styles as customers get them. Tests/Browser runs them.
@Suite struct TightTextTests {
    private func tight(_ script: String) -> String { String(decoding: TightScript(script).text, as: UTF8.self) }
    private func short(_ script: String) -> String {
        String(decoding: ShortNames(TightScript(script)).text, as: UTF8.self)
    }

    @Test func aScriptLosesItsCommentsAndBlanks() {
        #expect(tight("const a = 1; // one\n/* two\n */ a + +b;") == "const a=1;\n\na+ +b;")
        #expect(tight("const a = ` //  ${b  +  `${c} `}  `;") == "const a=` //  ${b+`${c} `}  `;")
        #expect(tight("a = b / c; // d\nreturn /  [/ ]  /;") == "a=b / c;\nreturn /  [/ ]  /;")
    }

    @Test func aStyleInAScriptIsTightToo() {
        #expect(tight("const a = css`\n b { c: d; }\n e {}\n`;\nf") == "const a=css`b{c:d}e{}\n\n\n`;\nf")
    }

    @Test func aStyleKeepsWhatItMeans() {
        let tight = String(
            decoding: TightStyle(
                """
                /* one */
                .a :hover, .b > c { width: calc(1px + 2px) !important; content: ' ; /* '; }
                @media (width: 2px) { d { margin: 0 auto; } }
                """.utf8
            ).text, as: UTF8.self)
        #expect(
            tight == """
                .a :hover,.b > c{width:calc(1px + 2px)!important;content:' ; /* '}@media (width:2px){d{margin:0 auto}}
                """)
    }

    @Test(arguments: [
        ("const first = 1;\nfirst + first;", "const a=1;\na+a;"),
        ("let first, second = [third], fourth;", "let a,c=[third],b;"),
        ("function first(one) { return first(one); }", "function a(one){return a(one);}"),
        ("const first = 1;\nf(first, [first, ...first], `${first}`);", "const a=1;\nf(a,[a,...a],`${a}`);"),
        ("const first = 1;\nfunction f() {\n  first = 2;\n}", "const a=1;\nfunction f(){\na=2;\n}"),
        ("const a = 1, first = 'first';", "const a=1,b='first';"),
    ])
    func aNameOfItsOwnBecomesShort(_ script: String, _ expected: String) {
        #expect(short(script) == expected)
    }

    @Test(arguments: [
        "export const first = 1;\nfirst;", "const first=1;\none.first;", "const first=1;\none={first};",
        "const first=1;\none={first:2};", "const first=1;\none={two,first};", "const{first}=one;",
        "const first=1;\nfunction f({first=2}){}", "const first=1;\none={first(){}};",
        "const first=1;\nclass c{get first(){}}", "const first=1;\nclass c{static first=2}",
        "function f(){const first=1;}", "first=1;", "const first=1;\none?.first;",
    ])
    func aNameThatMayBeAMembersStays(_ script: String) {
        #expect(short(script).contains("first") && !short(script).contains("a="))
        #expect(short(script) == tight(script))
    }
}
