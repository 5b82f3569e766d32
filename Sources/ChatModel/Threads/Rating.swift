import Formats

/// How a customer was served, in their own words: about a conversation that has ended.
public struct Rating: CanonicalJSON, Hashable {
    public static let scores = 1...5
    /// Characters of a comment.
    public static let maximumComment = 2000

    /// From 1, bad, to 5, very good.
    public var score: Int
    public var comment: String?
    /// When the customer first said it.
    public var at: Timestamp

    public init(score: Int, comment: String? = nil, at: Timestamp) {
        self.score = score
        self.comment = comment
        self.at = at
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("score", score)
        json.member("comment", comment)
        json.member("at", at)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        score = Int(try json.requiredInteger("score"))
        comment = json["comment"]?.string
        at = try json.requiredTimestamp("at")
    }
}

/// Whether and how a channel asks customers for a rating.
public enum RatingForm: String, Sendable, CaseIterable {
    case numbers, stars
    /// Only the scores 1 and 5.
    case thumbs

    public func takes(_ score: Int) -> Bool {
        self == .thumbs ? score == 1 || score == 5 : Rating.scores.contains(score)
    }
}
