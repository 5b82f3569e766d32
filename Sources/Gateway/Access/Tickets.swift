import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The right to GET one address for a short time, as a text in that address: pictures and links of a page are requested
/// without headers. Nothing is stored.
///
/// The text is `<end>.<holder>.<seal>`. It has the rights of whoever got it, and ends when their own credential ends.
struct Ticket: Sendable, Equatable {
    /// The query parameter that has it.
    static let parameter = "ticket"

    /// In milliseconds. All tickets of ten minutes have the same end, so that an address stays the same for a while and
    /// browsers keep what it leads to.
    private static let step: Int64 = 10 * 60 * 1000

    /// Who got it, by which credential.
    enum Owner: Sendable, Equatable {
        case gateway
        case login(String)
        /// By the text of the key that has this mark (``AccessKey/mark(of:)``).
        case key(String, mark: String)
        case session(String, generation: Int)

        fileprivate var text: String {
            switch self {
            case .gateway: "g"
            case .login(let id): "l~\(id.percentEncoded)"
            case .key(let id, let mark): "k~\(mark)~\(id.percentEncoded)"
            case .session(let id, let generation): "s~\(generation)~\(id.percentEncoded)"
            }
        }

        fileprivate init?(_ text: Substring) {
            let parts = text.split(separator: "~", maxSplits: 2, omittingEmptySubsequences: false)
            func id(_ part: Substring) -> String { percentDecoded(Array(part.utf8)) }
            switch (parts[0], parts.count) {
            case ("g", 1): self = .gateway
            case ("l", 2): self = .login(id(parts[1]))
            case ("k", 3): self = .key(id(parts[2]), mark: String(parts[1]))
            case ("s", 3):
                guard let generation = Int(parts[1]) else { return nil }
                self = .session(id(parts[2]), generation: generation)
            default: return nil
            }
        }
    }

    let end: Timestamp
    let owner: Owner
    /// The rest of the text, which nobody else can make.
    private let seal: String

    /// A ticket that is good for 10 to 20 minutes.
    ///
    /// - Parameter target: the path, and the query if there is one.
    init(for target: String, owner: Owner, at now: Timestamp, _ tokens: TokenAuthority) {
        end = Timestamp(milliseconds: (now.milliseconds / Self.step + 2) * Self.step)
        self.owner = owner
        seal = Self.seal(target, end, owner, tokens)
    }

    /// Reads what a request has brought. Nil when the text has another form; whether it is good says ``opens(_:_:)``.
    init?(_ text: String) {
        guard let first = text.firstIndex(of: "."), let last = text.lastIndex(of: "."), first < last,
            let seconds = Int64(text[..<first]), (0...Int64.max / 1000).contains(seconds),
            let owner = Owner(text[text.index(after: first)..<last])
        else { return nil }
        end = Timestamp(milliseconds: seconds * 1000)
        self.owner = owner
        seal = String(text[text.index(after: last)...])
    }

    var text: String { "\(end.milliseconds / 1000).\(owner.text).\(seal)" }

    /// Whether it was made for this target. Its end is not looked at.
    func opens(_ target: String, _ tokens: TokenAuthority) -> Bool {
        areSameSecret(seal.utf8, Self.seal(target, end, owner, tokens).utf8)
    }

    private static func seal(_ target: String, _ end: Timestamp, _ owner: Owner, _ tokens: TokenAuthority) -> String {
        tokens.seal("GET\u{0}\(target)\u{0}\(end.milliseconds)\u{0}\(owner.text)", for: "ticket")
    }
}

extension Route {
    /// Whether a ticket may stand for a credential.
    var takesTicket: Bool {
        guard method == .get, case .only(let names, _, _) = query else { return false }
        return names.contains(Ticket.parameter)
    }
}
