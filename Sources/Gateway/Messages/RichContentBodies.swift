import ChatModel
import Formats
import HTTPRouting

/// The member `content` of a rich message, whose shape depends on the message's type.
enum RichContentBody {
    /// The content; nil, and a fault reported, when it is missing or not valid. Also nil for types without rich
    /// content.
    static func required(_ object: inout ObjectReader, _ type: MessageType) -> RichContent? {
        let value = object.required("content")
        switch type {
        case .quickReplies:
            return object.object(value, "content", as: QuickRepliesBody.self).map { .quickReplies($0.content) }
        case .listPicker:
            return object.object(value, "content", as: ListPickerBody.self).map { .listPicker($0.content) }
        case .richLink: return object.object(value, "content", as: RichLinkBody.self).map { .richLink($0.content) }
        case .timePicker:
            return object.object(value, "content", as: TimePickerBody.self).map { .timePicker($0.content) }
        case .text, .file, .admin, .unknown: return nil
        }
    }
}

/// `{"title","buttons"}`: a question with 1 to 50 buttons.
struct QuickRepliesBody: RequestBody {
    let content: QuickReplies

    init(reading object: inout ObjectReader) {
        content = QuickReplies(
            title: object.requiredString("title", length: 1...1024), buttons: ReplyButtonBody.list(&object))
    }
}

/// `{"title","text","buttons"}`: a list of 1 to 50 choices.
struct ListPickerBody: RequestBody {
    let content: ListPicker

    init(reading object: inout ObjectReader) {
        content = ListPicker(
            title: object.requiredString("title", length: 1...1024),
            text: object.requiredString("text", length: 1...1024),
            buttons: ReplyButtonBody.list(&object))
    }
}

/// `{"text","description"?,"postback"?,"iconName"?,"iconUrl"?,"iconMimeType"?}`: a button. A client sends its
/// `postback` back when it is chosen.
struct ReplyButtonBody: RequestBody {
    let button: ReplyButton

    init(reading object: inout ObjectReader) {
        button = ReplyButton(
            text: object.requiredString("text", length: 1...256),
            description: object.optionalString("description", length: 1...1024),
            postback: object.optionalString("postback", length: 1...4096),
            iconName: object.optionalString("iconName", length: 1...256), iconURL: object.optionalLink("iconUrl"),
            iconMimeType: object.optionalString("iconMimeType", length: 1...127))
    }

    /// The member `buttons`: 1 to 50.
    static func list(_ object: inout ObjectReader) -> [ReplyButton] {
        object.objects(object.required("buttons"), "buttons", count: 1...50, as: ReplyButtonBody.self)?.map(\.button)
            ?? []
    }
}

/// `{"title","url","fileName"?,"fileUrl"?,"mimeType"?}`: a link; the file is its picture.
struct RichLinkBody: RequestBody {
    let content: RichLink

    init(reading object: inout ObjectReader) {
        content = RichLink(
            title: object.requiredString("title", length: 1...1024), url: object.requiredLink("url"),
            fileName: object.optionalString("fileName", length: 1...256), fileURL: object.optionalLink("fileUrl"),
            mimeType: object.optionalString("mimeType", length: 1...127))
    }
}

/// `{"title","sheetTitle","timeSlots":[{"id","duration","startTime"}]}`: 1 to 100 times to choose from.
struct TimePickerBody: RequestBody {
    let content: TimePicker

    init(reading object: inout ObjectReader) {
        let title = object.requiredString("title", length: 1...1024)
        let sheetTitle = object.requiredString("sheetTitle", length: 1...1024)
        let slots =
            object.objects(object.required("timeSlots"), "timeSlots", count: 1...100, as: TimeSlotBody.self) ?? []
        content = TimePicker(title: title, sheetTitle: sheetTitle, timeSlots: slots.map(\.slot))
    }
}

/// `{"id","duration","startTime"}`: the duration in seconds, 1 to 604,800 (a week); the start as in RFC 3339.
struct TimeSlotBody: RequestBody {
    let slot: TimePicker.Slot

    init(reading object: inout ObjectReader) {
        let id = object.requiredID("id"), duration = object.requiredInteger("duration", in: 1...604_800)
        let time = object.requiredString("startTime", length: 20...64)
        let startTime = Timestamp(rfc3339: time)
        if startTime == nil, !time.isEmpty { object.reject("startTime", "a time as in RFC 3339 was expected") }
        slot = TimePicker.Slot(id: id, duration: duration, startTime: startTime ?? Timestamp(milliseconds: 0))
    }
}

extension ObjectReader {
    /// A URL with the scheme `http` or `https`, in ASCII, at most 2,048 characters. Other schemes are faults, because a
    /// page opens the link and `javascript:` would run in it.
    fileprivate mutating func optionalLink(_ name: String) -> String? {
        checkedLink(optionalString(name, length: 1...2048), name)
    }

    fileprivate mutating func requiredLink(_ name: String) -> String {
        checkedLink(requiredString(name, length: 1...2048), name) ?? ""
    }

    private mutating func checkedLink(_ text: String?, _ name: String) -> String? {
        guard let text, !text.isEmpty else { return text }
        guard ["https://", "http://"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            reject(name, "an address that begins with https:// or http:// was expected, in ASCII")
            return nil
        }
        return text
    }
}
