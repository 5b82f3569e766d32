import ChatModel
import Formats

/// A note among agents as assistants see it. Customers write none.
struct NoteView {
    /// What it is named by; notes about a customer are not named.
    let id: String?
    let createdAt: Timestamp
    let author: Author
    let text: String

    init(_ note: Note) { (id, createdAt, author, text) = (note.id, note.createdAt, note.author, note.text) }

    init(_ note: CustomerNote) { (id, createdAt, author, text) = (nil, note.createdAt, note.author, note.text) }

    static let schema = #"""
        {"type":"object","additionalProperties":false,"required":["at","text"],"properties":{
        "note":{"type":"string","description":"Its handle, for latest"},"at":{"type":"string","format":"date-time"},
        "author":{"type":"string"},"text":{"type":"string"},"isCut":{"const":true}}}
        """#

    func encode(to json: inout JSONWriter) {
        let cut = QuotedText.cut(text)
        json.beginObject()
        if let id { json.member("note", MessageHandle.text(id)) }
        json.member("at", createdAt)
        json.member("author", author.name.map(QuotedText.name))
        json.member("text", cut.text)
        if cut.isCut { json.member("isCut", true) }
        json.endObject()
    }
}
