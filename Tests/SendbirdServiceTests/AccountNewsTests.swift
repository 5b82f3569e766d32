@testable import SendbirdService
import Testing

@Suite struct AccountNewsTests {
    private func item(_ url: String) -> AccountNews.Item { AccountNews.Item(url: url, known: nil) }

    /// What changes again while it is refreshed is refreshed once more; what waits is not there twice.
    @Test func eachOneOnce() {
        var news = AccountNews()
        #expect(news.add(item("a"), of: 1) == .first && news.add(item("a"), of: 1) == .behind)
        #expect(news.add(item("b"), of: 1) == .behind && news.add(item("a"), of: 2) == .first)
        #expect(news.next(of: 1)?.url == "a")
        #expect(news.add(item("a"), of: 1) == .behind)
        #expect(news.next(of: 1)?.url == "b" && news.next(of: 1)?.url == "a" && news.next(of: 1) == nil)
        #expect(news.add(item("a"), of: 1) == .first, "nothing of the account is refreshed any more")
        news.forget(2)
        #expect(news.add(item("a"), of: 2) == .first)
    }

    @Test func atMostSoManyWait() {
        var news = AccountNews()
        for number in 0..<AccountNews.most { #expect(news.add(item("\(number)"), of: 1) != .full) }
        #expect(news.add(item("more"), of: 1) == .full && news.add(item("0"), of: 1) == .behind)
        #expect(news.add(item("more"), of: 2) == .first)
    }
}
