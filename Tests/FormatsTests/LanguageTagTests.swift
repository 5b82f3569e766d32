import Formats
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("de-AT", "de"), ("pt", "pt-BR"), ("zh-CN", "zh-Hans"), ("zh-TW", nil), ("EN-us", "en"), ("x", nil), ("", nil),
    ])
    func theNearestIsFound(wanted: String, found: String?) {
        #expect(LanguageTag.find(wanted, in: ["en", "de", "pt-BR", "zh-Hans"]) == found)
    }

    @Test(arguments: [("de", true), ("zh-Hans-CN", true), ("", false), ("de-", false), ("1a", false), ("de_AT", false)])
    func tagsHaveTheirForm(text: String, isTag: Bool) { #expect(LanguageTag.isTag(text) == isTag) }
}
