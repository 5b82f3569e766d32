import Chat
import ChatModel
import HTTPRouting

/// `{"id"?,"channel","members":[...],"name"?,"customType"?,"customFields"?}`: a thread that the desk creates.
struct NewDeskThread: RequestBody {
    let draft: DeskThreadDraft

    init(reading object: inout ObjectReader) {
        draft = DeskThreadDraft(
            id: object.optionalID("id"), channel: object.requiredKey("channel", length: 1...64),
            members: MemberBody.list(&object), name: object.optionalString("name", length: 1...256),
            customType: object.optionalKey("customType", length: 1...128),
            customFields: CustomFieldsBody.optional(&object) ?? [:])
    }
}

/// `{"members":[{"id","firstName"?,"lastName"?,"memberState"?}]}`: customers to add to a thread.
struct NewMembers: RequestBody {
    let members: [MemberDraft]

    init(reading object: inout ObjectReader) { members = MemberBody.list(&object) }
}

/// `{"id","firstName"?,"lastName"?,"memberState"?}`: a customer as a member of a thread; joined at once by default.
struct MemberBody: RequestBody {
    let draft: MemberDraft

    init(reading object: inout ObjectReader) {
        draft = MemberDraft(
            id: object.requiredID("id"), firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256),
            state: object.optionalChoice("memberState", of: MemberState.allCases) ?? .joined)
    }

    /// The member `members`: 1 to 100 customers.
    static func list(_ object: inout ObjectReader) -> [MemberDraft] {
        object.objects(
            object.required("members"), "members", count: 1...ThreadRules.maximumMembers, as: MemberBody.self)?.map(
                \.draft) ?? []
    }
}

/// `{"name"?: "..." | null, "customType"?: "..." | null}`: null removes the value, and a missing member leaves it as it
/// is (RFC 7396).
struct DeskThreadPatchBody: RequestBody {
    /// Each value has three forms: unchanged, removed, or a new text.
    let patch: DeskThreadPatch

    init(reading object: inout ObjectReader) {
        patch = DeskThreadPatch(
            name: object.removable("name") { $0.optionalString($1, length: 1...256) },
            customType: object.removable("customType") { $0.optionalKey($1, length: 1...128) })
    }
}

extension ObjectReader {
    /// A member that null removes. The outer nil means that the member is missing, the inner one that it is null.
    mutating func removable<T>(_ name: String, _ read: (inout ObjectReader, String) -> T?) -> T?? {
        switch optional(name) {
        case nil: .none
        case .null: .some(nil)
        default: .some(read(&self, name))
        }
    }
}
