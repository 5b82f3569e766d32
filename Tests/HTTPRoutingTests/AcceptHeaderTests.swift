import Testing

@testable import HTTPRouting

/// What a client says that it takes, and that it would like to have.
@Suite struct AcceptHeaderTests {
    private static let offers = ["text/event-stream", "application/json", "application/jsonl"]

    @Test(
        arguments: [
            ([], "text/event-stream"), ([""], "text/event-stream"), ([" "], "text/event-stream"),
            (["*/*"], "text/event-stream"), (["text/event-stream"], "text/event-stream"),
            (["application/jsonl"], "application/jsonl"), (["Application/JSONL"], "application/jsonl"),
            (["application/json"], "application/json"), (["application/json; charset=utf-8"], "application/json"),
            (["application/*"], "application/json"), (["text/*"], "text/event-stream"),
            // The weights decide, not the order of the words.
            (["application/json;q=0.5, application/jsonl"], "application/jsonl"),
            (["application/json;q=0.5,application/jsonl;q=0.501"], "application/jsonl"),
            (["*/*;q=1, application/json;q=0.9"], "text/event-stream"),
            // What is named exactly goes before what is only included, as clients mean it that send both.
            (["application/json, text/plain, */*"], "application/json"),
            (["application/*, */*"], "application/json"),
            // Of equals the one that the client names first.
            (["application/json, text/event-stream"], "application/json"),
            (["text/event-stream, application/json"], "text/event-stream"),
            (["application/jsonl", "application/json;q=0.9, text/event-stream"], "application/jsonl"),
            (["application/json, text/event-stream, application/json;q=0"], "application/json"),
            // Several fields are one list.
            (["text/html", "application/json"], "application/json"),
            // The most exact range decides about a weight.
            (["text/event-stream;q=0, */*"], "application/json"),
            (["application/*;q=0.1, application/jsonl;q=0.2, text/*;q=0.1"], "application/jsonl"),
            (["text/html"], nil), (["text/event-stream;q=0"], nil), (["*/*;q=0"], nil), (["json"], nil), ([","], nil),
            (["application/json;q=2"], nil), (["application/json;q=-1"], nil), (["application/json;q=0.0001"], nil),
            (["application/json;q=inf, application/jsonl;q=0.1"], "application/jsonl"),
        ] as [([String], String?)])
    func theBestOfWhatThereIs(_ fields: [String], _ best: String?) {
        #expect(AcceptHeader(fields).preferred(among: Self.offers) == best)
    }

    @Test(
        arguments: [
            ([], nil), (["wait=25"], 25), (["respond-async, Wait = 10"], 10), (["wait=\"7\""], 7),
            (["wait=5; x=1, wait=6"], 5), (["return=minimal", "wait=3"], 3), (["wait"], nil), (["wait="], nil),
            (["wait=-1"], nil), (["wait=1.5"], nil), (["await=5"], nil), (["wait=99999999999999999999"], nil),
        ] as [([String], Int?)])
    func howLongAClientWouldWait(_ fields: [String], _ seconds: Int?) {
        #expect(PreferHeader(fields).wait == seconds)
    }
}
