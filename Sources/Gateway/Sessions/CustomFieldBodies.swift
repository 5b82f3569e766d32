import Chat
import ChatModel
import HTTPRouting

/// `{"name","fields":[...]}`: a pre-chat survey with 1 to 50 fields.
struct SurveyBody: RequestBody {
    let survey: PreChatSurvey

    init(reading object: inout ObjectReader) {
        let name = object.requiredString("name", length: 1...256)
        let fields =
            object.objects(object.required("fields"), "fields", count: 1...50, as: SurveyFieldBody.self)?.map(
                \.definition) ?? []
        CustomFieldBody.checkUnique(fields, "fields", &object)
        survey = PreChatSurvey(name: name, fields: fields)
    }
}

/// The definition of a custom field, with `"isRequired"?`, false by default.
struct SurveyFieldBody: RequestBody {
    let definition: CustomFieldDefinition

    init(reading object: inout ObjectReader) {
        var definition = CustomFieldBody(reading: &object).definition
        definition.isRequired = object.optionalBool("isRequired") ?? false
        self.definition = definition
    }
}

/// `{"ident","label"?,"type","options"?:[{"id","label"?,"parentId"?}]}`: the definition of a custom field. Lists and
/// trees have options, texts and e-mail addresses have none.
struct CustomFieldBody: RequestBody {
    /// The label is the ident where none is given.
    let definition: CustomFieldDefinition

    init(reading object: inout ObjectReader) {
        let ident = object.requiredString("ident", length: 1...128)
        let kind: CustomFieldDefinition.Kind? = object.requiredChoice("type", of: CustomFieldDefinition.Kind.allCases)
        let options = object.objects(object.optional("options"), "options", count: 1...1000, as: OptionBody.self)?.map(
            \.option)
        definition = CustomFieldDefinition(
            ident: ident, label: object.optionalString("label", length: 1...256) ?? ident, kind: kind ?? .text,
            options: options ?? [])
        switch kind {
        case .text, .email:
            if options != nil { object.reject("options", "only a list or a tree has options") }
        case .list, .tree:
            if let fault = definition.fault { object.reject("options", fault) }
        case nil: break
        }
    }

    /// A member with 0 to 200 definitions; nil when it is missing. Two fields with one ident are a fault.
    static func optional(_ name: String, _ object: inout ObjectReader) -> [CustomFieldDefinition]? {
        guard let bodies = object.objects(object.optional(name), name, count: 0...200, as: CustomFieldBody.self) else {
            return nil
        }
        let fields = bodies.map(\.definition)
        checkUnique(fields, name, &object)
        return fields
    }

    /// Reports a fault of the member `name` when two fields have one ident.
    fileprivate static func checkUnique(_ fields: [CustomFieldDefinition], _ name: String, _ object: inout ObjectReader)
    {
        if Set(fields.map(\.ident)).count < fields.count { object.reject(name, "two fields have the same ident") }
    }
}

/// `{"id","label"?,"parentId"?}`: an option of a list or a tree; only in a tree it has a parent.
struct OptionBody: RequestBody {
    let option: CustomFieldDefinition.Option

    init(reading object: inout ObjectReader) {
        let id = object.requiredString("id", length: 1...128)
        option = CustomFieldDefinition.Option(
            id: id, label: object.optionalString("label", length: 1...256) ?? id,
            parentID: object.optionalString("parentId", length: 1...128))
    }
}

extension CustomFieldDefinition {
    /// What is wrong with the options of a list or a tree; nil if nothing is. A tree must have no cycle and no unknown
    /// parent.
    fileprivate var fault: String? {
        let parents = Dictionary(options.map { ($0.id, $0.parentID) }) { first, _ in first }
        if options.isEmpty { return "a list or a tree needs options" }
        if parents.count < options.count { return "two options have one id" }
        for option in options {
            guard var parent = option.parentID else { continue }
            if kind == .list { return "the options of a list have no parentId" }
            // More steps upward than there are options mean a cycle.
            var steps = 0
            while steps <= options.count {
                guard let above = parents[parent] else { return "there is no option \(parent.prefix(64))" }
                guard let above else { break }
                parent = above
                steps += 1
            }
            if steps > options.count { return "an option is below itself" }
        }
        return nil
    }
}
