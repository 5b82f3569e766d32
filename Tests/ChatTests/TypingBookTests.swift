import Chat
import Testing

/// The machine that knows who types.
@Suite struct TypingBookTests {
    private typealias Book = TypingBook<Int, String, String>

    @Test func aReportEndsOnce() {
        var book = Book(limit: 10, limitOfOne: 10)
        book.begin("ada", in: 1, of: 7, "first")
        book.begin("ada", in: 1, of: 8, "second")
        #expect(book.count == 1 && book.endAll(of: 7).isEmpty)
        #expect(book.end("ada", in: 1) == "second" && book.end("ada", in: 1) == nil && book.count == 0)
        #expect(book.endAll(of: 8).isEmpty)
    }

    @Test func aThreadAndAHolderEndWhatIsTheirs() {
        var book = Book(limit: 10, limitOfOne: 10)
        book.begin("ada", in: 1, of: 7, "ada 1")
        book.begin("bob", in: 1, of: 8, "bob 1")
        book.begin("ada", in: 2, of: 7, "ada 2")
        #expect(Set(book.threads(of: "ada")) == [1, 2])
        #expect(Set(book.endAll(in: 1)) == ["ada 1", "bob 1"])
        #expect(book.endAll(of: 7) == ["ada 2"] && book.endAll(of: 8).isEmpty && book.count == 0)
    }

    @Test func theOldestOfAHolderGivesWayAndOthersKeepTheirs() {
        var book = Book(limit: 3, limitOfOne: 2)
        for thread in 1...3 { book.begin("ada", in: thread, of: 7, "ada \(thread)") }
        #expect(book.end("ada", in: 1) == nil && book.count == 2)
        book.begin("bob", in: 1, of: 8, "bob")
        book.begin("cid", in: 1, of: 9, "cid")
        #expect(book.count == 3 && book.end("cid", in: 1) == nil && book.end("bob", in: 1) == "bob")
    }
}
