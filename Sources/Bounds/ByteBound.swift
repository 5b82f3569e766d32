/// What holds text, JSON or files for a client, each with its bound in bytes.
///
/// This is the only table of such bounds. The raw value is the beginning of a row in the article Limits or ServerLimits,
/// which says what happens at the bound; a test looks for each row, with this number.
public enum ByteBound: String, CaseIterable, Sendable {
    // For all clients together
    case memory = "all bodies and answers in memory"
    case unsent = "unsent bytes of all streams"
    case collections = "rows and events of all collections"
    case transcripts = "transcripts that are being sent"
    case ring = "events in memory"
    case pages = "pages of messages in memory with their answers"
    case hotRows = "threads, customers and channels that the writer keeps"
    case inbox = "changes that wait for the collections"
    case log = "the log"
    case eventsAhead = "events that deliveries have read ahead"
    case capturedBodies = "bodies that are kept on demand"
    case copies = "copies of files that are in PostgreSQL"
    case marks = "marks in the histories of a platform's threads"
    case configurations = "configurations of a platform's channels in memory"
    case sandbox = "what the clients of the sandbox hold"
    case sandboxFrames = "frames of the sandbox that are remembered"
    case lateDeeds = "requests to the sandbox that a fault does late"
    case heldCalls = "calls of programs that a fault of the sandbox holds back"
    case subscriptions = "chats that assistants hear of"

    // For one holder
    case uploads = "files that were uploaded and not sent"
    case unsentMessages = "messages of one customer that a platform has not taken"
    case accountTexts = "messages that one customer's tokens have written"
    case accountFiles = "files that one customer's tokens have uploaded"

    // For one object
    case text = "text of a message"
    case content = "content of a rich message"
    case fields = "custom fields of a thread, and of a customer"
    case channel = "a channel of the embedded service"
    case page = "a page of a list"
    case eventPage = "a page of events"
    case eventPagePass = "events that a page of events passes over"
    case transcriptPage = "a page of a transcript"
    case transcriptParents = "messages with replies that a transcript remembers"
    case collectionRows = "rows of a collection"
    case collectionEvents = "events of a collection that are kept"
    case waitingChanges = "changes that wait while a collection reads a page"
    case receiptMessage = "message that the receipt of an Idempotency-Key keeps"
    case threadMarks = "marks in the history of one thread of a platform"
    case definition = "definition of a collection"
    case sandboxMessage = "a message that comes to the sandbox's socket"
    case sandboxThreads = "threads that a list of the sandbox tells"
    case freshPage = "a newest page of a platform's thread that waits to be asked for"
    case receiverAnswer = "an answer of a receiver of webhooks"

    /// How many bytes there may be at most.
    public var bytes: Int {
        switch self {
        case .log: 16 << 30
        case .copies, .accountFiles: 10 << 30
        case .uploads: 2 << 30
        case .memory, .accountTexts: 256 << 20
        case .collections: 128 << 20
        case .unsent, .inbox, .sandbox, .lateDeeds, .configurations, .hotRows: 64 << 20
        case .transcripts, .ring, .pages, .marks: 32 << 20
        case .capturedBodies: 8 << 20
        case .unsentMessages, .subscriptions, .sandboxFrames, .sandboxThreads, .heldCalls: 4 << 20
        case .eventsAhead, .eventPagePass, .collectionRows, .collectionEvents, .waitingChanges: 4 << 20
        case .page, .eventPage, .sandboxMessage: 1 << 20
        case .content, .channel, .transcriptPage, .transcriptParents: 256 << 10
        case .definition: 16 << 10
        case .receiptMessage: 4 << 10
        case .threadMarks: 512 << 10
        case .text, .fields, .freshPage, .receiverAnswer: 64 << 10
        }
    }
}
