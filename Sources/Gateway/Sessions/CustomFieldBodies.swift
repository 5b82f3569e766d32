import Chat
import ChatModel
import HTTPRouting

/// `{"name","fields":[...]}`
struct SurveyBody: RequestBody {
    let survey: PreChatSurvey

    init(reading object: inout ObjectReader) {
        let name = object.requiredString("name", length: 1...256)
        let fields = object.objects(object.required("fields"), "fields", count: 1...50, as: SurveyFieldBody.self)?.map(\.definition) ?? []
        CustomFieldBody.checkUnique(fields, "fields", &object)
        survey = PreChatSurvey(name: name, fields: fields)
    }
}

/// A field's definition, and `"isRequired"?`.
struct SurveyFieldBody: RequestBody {
    let definition: CustomFieldDefinition

    init(reading object: inout ObjectReader) {
        var definition = CustomFieldBody(reading: &object).definition
        definition.isRequired = object.optionalBool("isRequired") ?? false
        self.definition = definition
    }
}

/// `{"ident","label"?,"type","options"?:[{"id","label"?,"parentId"?}]}`
struct CustomFieldBody: RequestBody {
    let definition: CustomFieldDefinition

    init(reading object: inout ObjectReader) {
        let ident = object.requiredString("ident", length: 1...128)
        let kind: CustomFieldDefinition.Kind? = object.requiredChoice("type", of: CustomFieldDefinition.Kind.allCases)
        let options = object.objects(object.optional("options"), "options", count: 1...1000, as: OptionBody.self)?.map(\.option)
        definition = CustomFieldDefinition(
            ident: ident, label: object.optionalString("label", length: 1...256) ?? ident, kind: kind ?? .text, options: options ?? [])
        switch kind {
        case .text, .email:
            if options != nil { object.reject("options", "only a list or a tree has options") }
        case .list, .tree:
            if let fault = definition.fault { object.reject("options", fault) }
        case nil: break
        }
    }

    static func optional(_ name: String, _ object: inout ObjectReader) -> [CustomFieldDefinition]? {
        guard let bodies = object.objects(object.optional(name), name, count: 0...200, as: CustomFieldBody.self) else { return nil }
        let fields = bodies.map(\.definition)
        checkUnique(fields, name, &object)
        return fields
    }

    static func checkUnique(_ fields: [CustomFieldDefinition], _ name: String, _ object: inout ObjectReader) {
        if Set(fields.map(\.ident)).count < fields.count { object.reject(name, "two fields have one ident") }
    }
}

/// `{"id","label"?,"parentId"?}`
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
    /// What is wrong with the options of a list or a tree; nil if nothing is.
    fileprivate var fault: String? {
        let parents = Dictionary(options.map { ($0.id, $0.parentID) }) { first, _ in first }
        if options.isEmpty { return "a list or a tree needs options" }
        if parents.count < options.count { return "two options have one id" }
        for option in options {
            guard var parent = option.parentID else { continue }
            if kind == .list { return "the options of a list have no parentId" }
            // A way up that is longer than there are options goes in a circle.
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
