import Formats
import Testing

@testable import Gateway

@Suite struct CustomerTextsTests {
    private static let texts = CustomerTexts(
        files: Dictionary(
            uniqueKeysWithValues: ["en", "de", "pt-BR", "zh-Hans", "ar"].map { tag in
                let json = """
                    export default {"lang": "\(tag)", "dir": "\(tag == "ar" ? "rtl" : "ltr")", "widget": {
                    "list": {"unread": {"one": "{count} new", "other": "{count} new"}, "you": "You \(tag)"}}};
                    """
                return (tag, Array(json.utf8))
            }))

    @Test(
        arguments: [
            (["de-AT", "en"], [], "de"), (["pt"], [], "pt-BR"), (["zh-CN"], [], "zh-Hans"), (["zh"], [], "zh-Hans"),
            (["zh-TW", "de"], [], "de"), (["zh-Hant"], ["ar", "zh-Hans"], "ar"), (["fr", "de"], [], "de"),
            ([], ["de", "en"], "de"), ([], [], "en"), (["EN-us"], ["de", "en"], "en"), (["xx"], ["not-there"], "en"),
        ] as [([String], [String], String)])
    func aLanguageIsFoundByLookUp(wanted: [String], offered: [String], expected: String) {
        #expect(Self.texts.language(for: wanted, among: offered) == expected)
    }

    @Test func aTextHasThePlacesOfItsKey() {
        #expect(Self.texts.fault(of: "{count} neu", key: "list.unread", language: "de") == nil)
        #expect(Self.texts.fault(of: "neu", key: "list.unread", language: "de") == nil)
        #expect(Self.texts.fault(of: "{name} neu", key: "list.unread", language: "de")?.contains("{name}") == true)
        #expect(Self.texts.fault(of: "x", key: "list.none", language: "de") != nil)
        #expect(Self.texts.fault(of: "x", key: "list.you", language: "xx") != nil)
        #expect(Self.texts.fault(of: "", key: "list.you", language: "de") != nil)
        #expect(Self.texts.texts(in: "de", changed: ["list.you": "Ich"])["list.you"] == .string("Ich"))
    }
}
