/// Which browser on which system a `User-Agent` header names, for people who look at their logins. Browsers name others
/// besides themselves, so the order of the look-up counts.
enum BrowserName {
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Such as `Firefox on Linux`; a part that is not known is left out, and empty when nothing is known.
    static func of(_ header: String) -> String {
        func first(_ list: [(String, String)]) -> String? { list.first { header.contains($0.0) }?.1 }
        return [first(browsers), first(systems)].compactMap { $0 }.joined(separator: " on ")
    }
}
