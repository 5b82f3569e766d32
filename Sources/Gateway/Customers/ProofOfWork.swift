import ChatModel
import Formats
import HTTPRouting
import Synchronization

/// Tasks that cost a browser a second and a crowd of robots a fortune: find the number for which SHA-256 of salt and number is
/// the challenge. The form is ALTCHA's: no cookie and no picture.
///
/// The gateway keeps no task, because it has signed each one. It keeps those that were solved, until they end. Any thread may
/// use it.
final class ProofOfWork: Sendable {
    static let algorithm = "SHA-256"
    /// Numbers to try at most, and those of a channel on which many begin.
    static let usualMaximum = 50_000, greatMaximum = 500_000
    /// Milliseconds in which a task is solved.
    private static let life: Int64 = 10 * 60_000
    private static let capacity = 10_000

    private let tokens: TokenAuthority
    /// When each solved task ends.
    private let solved = Mutex<[String: Int64]>([:])

    init(tokens: TokenAuthority) { self.tokens = tokens }

    /// A new task: `{"algorithm","salt","challenge","maxNumber","signature"}`.
    func challenge(channel: String, isHard: Bool, at now: Timestamp) -> [UInt8] {
        let maximum = isHard ? Self.greatMaximum : Self.usualMaximum
        let salt = "\(LoginSecrets.random(12)).\(maximum).\(now.milliseconds + Self.life)"
        var generator = SystemRandomNumberGenerator()
        let number = Int.random(in: 0...maximum, using: &generator)
        let challenge = Self.digest(salt, number)
        var json = JSONWriter()
        json.beginObject()
        json.member("algorithm", Self.algorithm)
        json.member("salt", salt)
        json.member("challenge", challenge)
        json.member("maxNumber", maximum)
        json.member("signature", signature(salt, challenge, channel))
        json.endObject()
        return json.bytes
    }

    /// Whether the number solves a task of this gateway for the channel, in time and for the first time.
    ///
    /// - Parameter isHard: whether it has to be one of the harder tasks.
    func accepts(_ proof: VisitorProof, channel: String, isHard: Bool, at now: Timestamp) -> Bool {
        let parts = proof.salt.split(separator: ".")
        guard areSameSecret(signature(proof.salt, proof.challenge, channel).utf8, proof.signature.utf8),
            parts.count == 3, let maximum = Int(parts[1]), maximum >= (isHard ? Self.greatMaximum : 0),
            let end = Int64(parts[2]), now.milliseconds < end,
            Self.digest(proof.salt, proof.number) == proof.challenge
        else { return false }
        return solved.withLock { solved in
            if solved.count >= Self.capacity { solved = solved.filter { $0.value > now.milliseconds } }
            // All of the last ten minutes: who comes now waits for the first of them to end.
            guard solved.count < Self.capacity, solved[proof.salt] == nil else { return false }
            solved[proof.salt] = end
            return true
        }
    }

    private static func digest(_ salt: String, _ number: Int) -> String {
        Hexadecimal.encode(SHA256.hash(Array("\(salt)\(number)".utf8)))
    }

    private func signature(_ salt: String, _ challenge: String, _ channel: String) -> String {
        tokens.seal("\(channel)\u{0}\(salt)\u{0}\(challenge)", for: "visitor")
    }
}

/// `{"salt","challenge","signature","number"}`: a task with its solution.
struct VisitorProof: RequestBody {
    let salt: String
    let challenge: String
    let signature: String
    let number: Int

    init(reading object: inout ObjectReader) {
        salt = object.requiredString("salt", length: 1...64)
        challenge = object.requiredString("challenge", length: 64...64)
        signature = object.requiredString("signature", length: 1...64)
        number = object.requiredInteger("number", in: 0...ProofOfWork.greatMaximum)
        // What ALTCHA's own programs send besides.
        _ = object.optional("algorithm")
        _ = object.optional("took")
    }
}
