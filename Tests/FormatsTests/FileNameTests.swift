import Formats
import Testing

@Suite struct FileNameTests {
    @Test func aNameThatWasCutIsAsGoodAsOthers() {
        for name in [
            String(repeating: "a", count: 254) + " b",
            String(repeating: ".", count: 300) + "a.very-long-ending-of-a-name",
        ] {
            let cut = FileName.clean(name)
            #expect(FileName.clean(cut) == cut)
        }
    }

    @Test func namesKeepWhatPeopleSee() {
        #expect(FileName.clean("👩‍👧 plan.pdf") == "👩‍👧 plan.pdf")
        #expect(FileName.clean(" a\u{0}\u{202E}b\n ") == "ab")
        #expect(FileName.clean("a/../") == "file")
        #expect(FileName.clean(String(repeating: "é", count: 200) + ".tar").utf8.count <= 255)
        #expect(FileName.clean(String(repeating: "é", count: 200) + ".tar").hasSuffix("é.tar"))
    }
}
