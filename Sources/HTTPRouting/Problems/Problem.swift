import Formats
import Bounds

/// An error as the client gets it: `application/problem+json` (RFC 9457). Routes throw it from any thread.
///
/// The gate turns it into an answer; ``headers`` and ``retryAfter`` become headers there, not in
/// ``json(base:requestID:)``.
///
/// ```swift
/// let problem = Problem(.notFound, "No thread has this id.")
/// print(problem.status, problem.kind.code)  // 404 notFound
/// ```
package struct Problem: Error, Sendable {
    /// One thing that is wrong with a request: one element of the member `errors`, an extension of RFC 9457.
    package struct Item: Sendable, Equatable {
        /// A JSON Pointer into the body (RFC 6901), without the `#` that the answer puts in front; or `?name` for a
        /// query parameter.
        package var pointer: String
        package var kind: ProblemKind
        /// A sentence about this occurrence. It may quote the request; the answer carries its first 1,024 bytes only.
        package var detail: String

        package init(_ kind: ProblemKind, pointer: String, _ detail: String) {
            self.kind = kind
            self.pointer = pointer
            self.detail = detail
        }

        package init(_ problem: HTTPProblem, pointer: String, _ detail: String) {
            self.init(ProblemKind(problem), pointer: pointer, detail)
        }
    }

    /// Gives the members `type`, `title` and `code`.
    package var kind: ProblemKind
    /// The status of the answer. It is the kind's by default; some places change it, such as 400 for everything in a
    /// query.
    package var status: Int
    /// The member `detail`; left out when nil. The answer carries at most 1,024 bytes of it.
    package var detail: String?
    /// The member `errors`, in the order of discovery; left out when empty.
    package var items: [Item]
    /// Seconds after which a repetition makes sense: the member `retryAfter` and the header `Retry-After`.
    package var retryAfter: Int?
    /// The scope that the caller lacks: the member `missingScope`.
    package var missingScope: Scope?
    /// The half of a login that the request lacks: the member `half`.
    package var missingHalf: LoginHalf?
    /// Which of several causes it is, for programs: the member `reason`.
    package var reason: String?
    /// JSON that the client needs to go on: the member `challenge`.
    package var challenge: [UInt8]?
    /// Further headers of the answer (`Allow`, `Accept`, `WWW-Authenticate`).
    package var headers: [(String, String)]

    /// A problem of HTTP's own, with the status that its kind has.
    package init(
        _ problem: HTTPProblem, _ detail: String? = nil, items: [Item] = [], retryAfter: Int? = nil,
        headers: [(String, String)] = []
    ) {
        self.init(kind: ProblemKind(problem), detail: detail, items: items, retryAfter: retryAfter, headers: headers)
    }

    /// A problem of any kind. Its status begins as the kind's and can be changed afterwards.
    package init(
        kind: ProblemKind, detail: String?, items: [Item] = [], retryAfter: Int? = nil, headers: [(String, String)] = []
    ) {
        self.kind = kind
        self.status = kind.status
        self.detail = detail
        self.items = items
        self.retryAfter = retryAfter
        self.headers = headers
    }

    /// Several faults of one body in one answer. The first item gives the kind, the status and, with the member's name,
    /// the detail; `invalidValue` stands in when there is none.
    package init(items: [Item]) {
        let kind = items.first?.kind ?? ProblemKind(.invalidValue)
        let detail = items.first.map { $0.pointer.isEmpty ? $0.detail : "\($0.pointer): \($0.detail)" }
        self.init(kind: kind, detail: detail, items: items)
    }

    /// A query parameter whose value is not accepted. The status is 400, as for all problems of a query; the same kind
    /// has 422 for a body.
    package static func parameter(_ name: String, _ detail: String) -> Problem {
        var problem = Problem(.invalidParameter, detail, items: [Item(.invalidParameter, pointer: "?\(name)", detail)])
        problem.status = 400
        return problem
    }

    /// The problem's JSON.
    /// - Parameters:
    ///   - base: where the documentation is, `http://<host>`.
    ///   - requestID: the value of `X-Request-Id`.
    package func json(base: String, requestID: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "\(base)/docs/problems/\(kind.code)")
        json.member("title", kind.title)
        json.member("status", status)
        json.member("code", kind.code)
        json.member("detail", detail.map(Self.bounded))
        json.member("instance", "urn:parley:request:\(requestID)")
        if !items.isEmpty {
            json.name("errors")
            json.beginArray()
            for item in items {
                json.beginObject()
                // In the body a JSON Pointer as a URI fragment (RFC 6901, 6); in the query `?name`.
                let isParameter = item.pointer.utf8.first == UInt8(ascii: "?")
                json.member("pointer", Self.bounded(isParameter ? item.pointer : "#" + item.pointer))
                json.member("code", item.kind.code)
                json.member("detail", Self.bounded(item.detail))
                json.endObject()
            }
            json.endArray()
        }
        json.member("missingScope", missingScope?.rawValue)
        json.member("half", missingHalf?.rawValue)
        json.member("reason", reason)
        if let challenge {
            json.name("challenge")
            json.raw(challenge)
        }
        if let retryAfter { json.member("retryAfter", retryAfter) }
        json.endObject()
        return json.bytes
    }

    /// Cuts a text that may quote the request, so that a request of a megabyte does not cause an answer of a megabyte.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > maximumLength else { return text }
        return String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self) + "..."
    }

    /// The most bytes that one text of a problem has, before the three dots.
    private static let maximumLength = 1024
}

extension Problem {
    /// That a holder gets no place: 429 when it has its share, 503 when all places are taken.
    ///
    /// - Parameter things: what the places are for, in the plural.
    package init(_ refusal: PlaceRefusal, of things: String) {
        switch refusal {
        case .share(let share, let limit):
            self.init(
                .shareExceeded, "You have \(share) \(things) at once already, your share of \(limit).", retryAfter: 1)
        case .full(let limit):
            self.init(.tooManyRequests, "There are \(limit) \(things) at once already.", retryAfter: 1)
        }
    }
}

extension PlacePool {
    /// Takes a place until ``giveBack(_:)``. Throws `shareExceeded` or `tooManyRequests`.
    package func takePlace(_ holder: Holder, for things: String) throws(Problem) {
        do {
            try takePlace(holder)
        } catch {
            throw Problem(error, of: things)
        }
    }
}

extension PlaceLine {
    /// Does the work when its turn has come. Throws `shareExceeded` or `tooManyRequests` when too many wait, and
    /// `CancellationError`.
    package func holding<T: Sendable>(
        _ holder: Holder, for things: String, _ work: @Sendable () async throws -> T
    ) async throws -> T {
        do {
            try await enter(holder)
        } catch let refusal as PlaceRefusal {
            throw Problem(refusal, of: things)
        }
        defer { leave(holder) }
        return try await work()
    }
}

/// One kind of problem: everything about a code that does not depend on the occurrence.
///
/// The kinds that HTTP needs are in ``HTTPProblem``; an application adds its own. A client decides by ``code`` alone;
/// the texts may change.
package struct ProblemKind: Sendable, Equatable {
    /// The member `code` of the answer, and the last segment of `type`. Part of the API: it never changes.
    package let code: String
    /// The HTTP status of the answer, unless the place that throws decides otherwise (see ``Problem/status``).
    package let status: Int
    /// The member `title`: the same for every occurrence.
    package let title: String
    /// What the problem means, in whole sentences for the documentation page. It is not in the answer.
    package let meaning: String
    /// What a caller can do about it; also for the documentation page only.
    package let remedy: String

    package init(_ code: String, _ status: Int, _ title: String, _ meaning: String, _ remedy: String) {
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
    }
}
