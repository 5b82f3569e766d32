import ChatModel
import Testing

@Suite struct CursorTests {
    @Test(arguments: ["e-+5", "e-05", "e--5", "e-", "e-5 "])
    func cursorsHaveOneSpelling(text: String) { #expect(Cursor(text) == nil) }
}
