import ArgumentParser

/// Completes ids in a shell, with those that the running gateway has.
///
/// The gateway is found as the command itself would find it, by the words that stand there already. It gets 200 ms,
/// because somebody waits for each key. If it does not answer, there is nothing to choose from.
enum IDCompletion {
    private static let patience = Duration.milliseconds(200)

    static let sessions = kind { _ in ["sessions"] }
    /// The threads of the session that the words name.
    static let threads = kind { words in session(words).map { ["sessions", $0, "threads"] } }
    static let deskThreads = kind { _ in ["desk", "threads"] }
    static let channels = kind { _ in ["desk", "channels"] }
    static let agents = kind { _ in ["desk", "agents"] }
    static let tags = kind { _ in ["desk", "tags"] }
    /// The scripts of faults.
    static let scripts = kind { _ in ["sandbox", "scripts"] }
    /// The numbers of the sandbox's sockets.
    static let sockets = kind { _ in ["sandbox", "sockets"] }

    /// - Parameter list: the path of a list, from the words of the command line; nil for none.
    private static func kind(_ list: @escaping @Sendable ([String]) -> [String]?) -> CompletionKind {
        .custom { words, _, _ in
            guard let path = list(words), let reach = try? ReachFlags.parse(flags(words)),
                let finder = try? await reach.finder()
            else { return [] }
            let client = GatewayClient(finder: finder, deadline: ContinuousClock.now + patience)
            let items = (try? client.get(GatewayClient.path(path)))?.root["items"]?.elements ?? []
            return offered(items.compactMap { $0["id"]?.string ?? $0["number"]?.number })
        }
    }

    /// The ids that mean themselves in every shell.
    ///
    /// Customers choose the ids of threads. bash expands what it is offered: `$(touch x)` would run as the command of
    /// whoever presses TAB. zsh reads a colon as the end of the word, and a hyphen in front would make an option of it.
    static func offered(_ ids: [String]) -> [String] {
        ids.filter { id in
            !id.isEmpty && !id.hasPrefix("-")
                && id.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-._".utf8.contains(byte)
                    }
                }
        }
    }

    /// The flags among the words that say where the gateway is.
    private static func flags(_ words: [String]) -> [String] {
        var found: [String] = []
        for (index, word) in words.enumerated() {
            for name in ["--gateway", "--token-file", "--data", "--config"] {
                if word.hasPrefix(name + "=") { found.append(word) }
                if word == name, index + 1 < words.count { found += [word, words[index + 1]] }
            }
        }
        return found
    }

    /// The first word behind the command that is neither an option nor, as it seems, an option's value.
    private static func session(_ words: [String]) -> String? {
        words.indices.dropFirst(2).first { !words[$0].hasPrefix("-") && !words[$0 - 1].hasPrefix("-") }.map {
            words[$0]
        }
    }
}
