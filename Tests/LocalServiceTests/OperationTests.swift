import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// Every operation of customer and desk: what it is refused with, and what it logs.
@Suite struct OperationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var refusal: ChatError.Code?
        var events: [String]
        var act: @Sendable (Local, Person) async throws -> Void
        var testDescription: String { name }

        init(_ name: String, logs events: [String], _ act: @escaping @Sendable (Local, Person) async throws -> Void) {
            (self.name, self.events, self.act) = (name, events, act)
        }

        init(
            _ name: String, refused code: ChatError.Code,
            _ act: @escaping @Sendable (Local, Person) async throws -> Void
        ) {
            (self.name, self.refusal, self.events, self.act) = (name, code, [], act)
        }
    }

    /// One customer with three threads: `open` (messages `mine` and `theirs`, and `gone`, which was removed),
    /// `pending`, `closed` (message `old`).
    private func prepare(_ local: Local) async throws -> Person {
        let person = try await local.person()
        for id in ["open", "pending", "closed"] { try await person.create(id, name: id) }
        try await person.send("old", to: "closed")
        _ = try await person.connection.archive("closed", receipt: nil)
        try await person.send("gone", to: "open")
        try await person.connection.remove("gone", in: "open", ifMatch: nil)
        try await person.send("mine", "mine", to: "open")
        _ = try await local.send("theirs", "theirs", to: "open")
        local.environment.advance(milliseconds: 1000)
        _ = try local.log()
        return person
    }

    private static func draft(_ id: String, _ text: String = "text") -> MessageDraft {
        MessageDraft(id: id, text: text)
    }
    private static let open = DeskThread(id: "open")
    private static let sent = ["message.created n cd", "thread.updated open cd"]
    private static let edited = ["message.updated mine cd", "thread.updated open cd"]

    static let sending: [Row] = [
        Row("send", logs: sent) { try await $1.send("n", to: "open") },
        Row("send the first", logs: ["thread.created pending d", "message.created n cd", "thread.updated pending cd"]) {
            try await $1.send("n", to: "pending")
        },
        Row("send again, same content", logs: []) { try await $1.send("mine", "mine", to: "open") },
        Row("send again, other content", refused: .messageIdConflict) {
            try await $1.send("mine", "other", to: "open")
        },
        Row("send again, other custom type", refused: .messageIdConflict) {
            _ = try await $1.connection.send(
                MessageDraft(id: "mine", text: "mine", customType: "x"), to: "open", receipt: nil)
        },
        Row("send an id of the other side", refused: .messageIdConflict) {
            try await $1.send("theirs", "theirs", to: "open")
        },
        Row("send a removed id", refused: .messageIdConflict) { try await $1.send("gone", to: "open") },
        Row("send to a closed thread", refused: .illegalThreadState) { try await $1.send("n", to: "closed") },
        Row("send again to a closed thread", logs: []) { try await $1.send("old", to: "closed") },
        Row("send to no thread", refused: .unknownThread) { try await $1.send("n", to: "nowhere") },
        Row("desk: send", logs: sent) { local, _ in _ = try await local.send("n", to: "open") },
        Row("desk: send again", logs: []) { local, _ in _ = try await local.send("theirs", "theirs", to: "open") },
        Row("desk: send an id of the other side", refused: .messageIdConflict) { local, _ in
            _ = try await local.send("mine", "mine", to: "open")
        },
        Row("desk: send nothing", refused: .invalidParameter) { local, _ in
            _ = try await local.send("n", "", to: "open")
        },
        Row("desk: send too much", refused: .textTooLong) { local, _ in
            _ = try await local.send("n", String(repeating: "x", count: 65_537), to: "open")
        },
        Row("desk: send to a pending thread", refused: .unknownThread) { local, _ in
            _ = try await local.send("n", to: "pending")
        },
        Row("desk: send to a closed thread", refused: .illegalThreadState) { local, _ in
            _ = try await local.send("n", to: "closed")
        },
    ]

    static let changing: [Row] = [
        Row("edit", logs: edited) { _ = try await $1.connection.edit("mine", in: "open", text: "new", ifMatch: nil) },
        Row("edit to the same", logs: []) {
            _ = try await $1.connection.edit("mine", in: "open", text: "mine", ifMatch: nil)
        },
        Row("edit the other side's", refused: .notAuthor) {
            _ = try await $1.connection.edit("theirs", in: "open", text: "new", ifMatch: nil)
        },
        Row("edit nothing", refused: .unknownMessage) {
            _ = try await $1.connection.edit("none", in: "open", text: "new", ifMatch: nil)
        },
        Row("edit what changed", refused: .preconditionFailed) {
            _ = try await $1.connection.edit("mine", in: "open", text: "new", ifMatch: 1)
        },
        Row("edit what did not change", logs: edited) { local, person in
            let version = try await local.desk.message("mine", in: open).version
            _ = try await person.connection.edit("mine", in: "open", text: "new", ifMatch: version)
        },
        Row("edit in a closed thread", refused: .illegalThreadState) {
            _ = try await $1.connection.edit("old", in: "closed", text: "new", ifMatch: nil)
        },
        Row("remove", logs: ["message.removed mine cd", "thread.updated open cd"]) {
            try await $1.connection.remove("mine", in: "open", ifMatch: nil)
        },
        Row("remove in a closed thread", logs: ["message.removed old cd", "thread.updated closed cd"]) {
            try await $1.connection.remove("old", in: "closed", ifMatch: nil)
        },
        Row("remove the other side's", refused: .notAuthor) {
            try await $1.connection.remove("theirs", in: "open", ifMatch: nil)
        },
        Row("remove twice", refused: .unknownMessage) {
            try await $1.connection.remove("gone", in: "open", ifMatch: nil)
        },
        Row("remove what changed", refused: .preconditionFailed) {
            try await $1.connection.remove("mine", in: "open", ifMatch: 1)
        },
        Row("desk: edit", logs: ["message.updated theirs cd", "thread.updated open cd"]) { local, _ in
            _ = try await local.desk.edit("theirs", in: open, text: "new", ifMatch: nil)
        },
        Row("desk: edit the other side's", refused: .notAuthor) { local, _ in
            _ = try await local.desk.edit("mine", in: open, text: "x", ifMatch: nil)
        },
        Row("desk: edit to nothing", refused: .invalidParameter) { local, _ in
            _ = try await local.desk.edit("theirs", in: open, text: "", ifMatch: nil)
        },
        Row("desk: remove", logs: ["message.removed theirs cd", "thread.updated open cd"]) { local, _ in
            try await local.desk.remove("theirs", in: open, ifMatch: nil)
        },
        Row("desk: remove the other side's", logs: ["message.removed mine cd", "thread.updated open cd"]) { local, _ in
            try await local.desk.remove("mine", in: open, ifMatch: nil)
        },
    ]

    static let threads: [Row] = [
        Row("create", logs: ["thread.created new c"]) { try await $1.create("new") },
        Row("create a known id", refused: .threadIdConflict) { try await $1.create("open") },
        Row("rename", logs: ["thread.updated open cd"]) {
            _ = try await $1.connection.rename("open", to: "new", ifMatch: nil)
        },
        Row("rename to nothing", logs: ["thread.updated open cd"]) {
            _ = try await $1.connection.rename("open", to: nil, ifMatch: nil)
        },
        Row("rename to the same", logs: []) { _ = try await $1.connection.rename("open", to: "open", ifMatch: nil) },
        Row("rename a pending thread", logs: ["thread.updated pending c"]) {
            _ = try await $1.connection.rename("pending", to: "new", ifMatch: nil)
        },
        Row("rename a closed thread", refused: .illegalThreadState) {
            _ = try await $1.connection.rename("closed", to: "new", ifMatch: nil)
        },
        Row("rename what changed", refused: .preconditionFailed) {
            _ = try await $1.connection.rename("open", to: "new", ifMatch: 1)
        },
        Row("archive", logs: ["thread.updated open cd"]) { _ = try await $1.connection.archive("open", receipt: nil) },
        Row("archive a pending thread", logs: ["thread.updated pending c"]) {
            _ = try await $1.connection.archive("pending", receipt: nil)
        },
        Row("archive twice", refused: .illegalChatState) {
            _ = try await $1.connection.archive("closed", receipt: nil)
        },
        Row("load", logs: []) { _ = try await $1.connection.load("open", receipt: nil) },
        Row("load nothing", refused: .unknownThread) { _ = try await $1.connection.load("nowhere", receipt: nil) },
        Row("read", logs: ["message.updated theirs cd", "thread.updated open cd"]) {
            _ = try await $1.connection.markRead("open", receipt: nil)
        },
        Row("read twice", logs: ["message.updated theirs cd", "thread.updated open cd"]) {
            for _ in 0..<2 { _ = try await $1.connection.markRead("open", receipt: nil) }
        },
        Row("read a pending thread", logs: []) { _ = try await $1.connection.markRead("pending", receipt: nil) },
        Row("read a closed thread", logs: []) { _ = try await $1.connection.markRead("closed", receipt: nil) },
        Row("read nothing", refused: .unknownThread) { _ = try await $1.connection.markRead("nowhere", receipt: nil) },
        Row("fields", logs: ["thread.updated open cd"]) {
            _ = try await $1.connection.setCustomFields(["a": "1"], of: "open")
        },
        Row("fields, all empty", logs: []) { _ = try await $1.connection.setCustomFields(["a": ""], of: "open") },
        Row("type in a closed thread", refused: .illegalThreadState) {
            try await $1.connection.reportTyping(true, in: "closed")
        },
        Row("type no more in a closed thread", logs: []) { try await $1.connection.reportTyping(false, in: "closed") },
        Row("type in no thread", refused: .unknownThread) { try await $1.connection.reportTyping(true, in: "nowhere") },
        Row("customer's name", logs: ["customer.updated c1 d", "thread.updated open cd", "thread.updated pending c"]) {
            _ = try await $1.connection.setCustomer(CustomerDraft(firstName: "Ada"))
        },
        Row("customer's name, unchanged", logs: []) { _ = try await $1.connection.setCustomer(CustomerDraft()) },
        Row("customer's fields", logs: ["customer.updated c1 d"]) {
            _ = try await $1.connection.setCustomerCustomFields(["a": "1"])
        },
        Row("desk: read", logs: ["message.updated mine cd", "thread.updated open cd"]) { local, _ in
            _ = try await local.desk.markRead(open, receipt: nil)
        },
        Row("desk: read a closed thread", logs: ["message.updated old cd", "thread.updated closed cd"]) { local, _ in
            _ = try await local.desk.markRead(DeskThread(id: "closed"), receipt: nil)
        },
        Row("desk: assign", logs: ["thread.updated open cd"]) { local, _ in
            _ = try await local.desk.assign(Local.agent, to: open, receipt: nil)
        },
        Row("desk: assign twice", logs: ["thread.updated open cd"]) { local, _ in
            for _ in 0..<2 { _ = try await local.desk.assign(Local.agent, to: open, receipt: nil) }
        },
        Row("desk: assign a closed thread", refused: .illegalThreadState) { local, _ in
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "closed"), receipt: nil)
        },
        Row("desk: close", logs: ["thread.updated open cd"]) { local, _ in
            _ = try await local.desk.close(open, receipt: nil)
        },
        Row("desk: close twice", refused: .illegalThreadState) { local, _ in
            _ = try await local.desk.close(DeskThread(id: "closed"), receipt: nil)
        },
        Row("desk: close a pending thread", refused: .unknownThread) { local, _ in
            _ = try await local.desk.close(DeskThread(id: "pending"), receipt: nil)
        },
        Row("desk: type in a closed thread", refused: .illegalThreadState) { local, _ in
            try await local.desk.reportTyping(true, as: Local.agent, in: DeskThread(id: "closed"))
        },
        Row("desk: make a channel", logs: []) { local, _ in
            _ = try await local.desk.createChannel(ChannelDraft(id: "x", mode: .multithread), receipt: nil)
        },
        Row("desk: make it twice", refused: .channelExists) { local, _ in
            _ = try await local.desk.createChannel(ChannelDraft(id: "multi", mode: .multithread), receipt: nil)
        },
    ]

    @Test(arguments: sending + changing + threads) func operation(row: Row) async throws {
        try await Local.run { local in
            let person = try await prepare(local)
            let head = local.store.feed.head
            let code = await refusal { try await row.act(local, person) }
            #expect(code == row.refusal)
            #expect(try local.log() == row.events)
            // What was refused, or changed nothing, moved nothing.
            if row.events.isEmpty { #expect(local.store.feed.head == head) }
        }
    }
}
