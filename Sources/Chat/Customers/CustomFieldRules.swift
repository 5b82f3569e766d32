import Bounds
import ChatModel

/// Checks custom fields against their definitions. A field without a definition may hold any text, within
/// ``CustomFieldLimits``.
public enum CustomFieldRules {
    /// How many values one error points to. A hostile request could have thousands of wrong ones.
    private static let maximumFaults = 32

    /// Returns the values in the form in which they are stored: empty ones are left out, and labels of options become
    /// the options' ids.
    ///
    /// Throws `invalidParameter` with a fault for each value that its definition does not accept.
    public static func check(
        _ fields: [String: String], _ definitions: [CustomFieldDefinition]
    ) throws(ChatError) -> [String: String] {
        var faults: [ChatError.Fault] = []
        let values = resolve(fields, definitions, &faults)
        try raise(faults)
        try CustomFieldLimits.check(values)
        return values
    }

    /// Joins values that were checked with the fields that are set already. A new value replaces the old one.
    ///
    /// Throws `invalidParameter` when the result would exceed ``CustomFieldLimits``.
    public static func merge(
        _ values: [String: String], into known: [String: String]
    ) throws(ChatError) -> [String: String] {
        let merged = known.merging(values) { $1 }
        try CustomFieldLimits.check(merged, besides: known)
        return merged
    }

    /// Checks the answers to a channel's pre-chat survey, as ``check(_:_:)`` does, and that the required ones are
    /// there.
    ///
    /// Throws `missingPreChatCustomFields` when any required answer is missing, otherwise `invalidParameter`; with a
    /// fault for each answer.
    public static func checkSurvey(
        _ fields: [String: String], on channel: Channel
    ) throws(ChatError) -> [String: String] {
        var faults: [ChatError.Fault] = []
        let values = resolve(fields, channel.threadFields, &faults)
        for field in channel.preChatSurvey?.fields ?? [] where field.isRequired && (fields[field.ident] ?? "").isEmpty {
            faults.append(
                ChatError.Fault(
                    .missingPreChatCustomFields, "\(field.label): the survey needs an answer.",
                    pointer: pointer(field.ident)))
        }
        try raise(faults)
        try CustomFieldLimits.check(values)
        return values
    }

    private static func resolve(
        _ fields: [String: String], _ definitions: [CustomFieldDefinition], _ faults: inout [ChatError.Fault]
    ) -> [String: String] {
        var values = fields.filter { !$0.value.isEmpty }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            if name.unicodeScalars.count > CustomFieldLimits.maximumNameLength {
                let detail = "A custom field's name has at most \(CustomFieldLimits.maximumNameLength) characters."
                faults.append(ChatError.Fault(.invalidParameter, detail, pointer: "/customFields"))
            } else if value.unicodeScalars.count > CustomFieldLimits.maximumValueLength {
                let detail = "A custom field's value has at most \(CustomFieldLimits.maximumValueLength) characters."
                faults.append(ChatError.Fault(.invalidParameter, detail, pointer: pointer(name)))
            }
            // The rest need not be checked: the request is refused anyway.
            if faults.count == maximumFaults { return values }
        }
        for definition in definitions {
            guard let text = values[definition.ident] else { continue }
            if let value = definition.value(of: text) {
                values[definition.ident] = value
            } else {
                let detail = "\(definition.label): \(definition.expectation) was expected."
                faults.append(ChatError.Fault(.invalidParameter, detail, pointer: pointer(definition.ident)))
            }
        }
        return values
    }

    /// Throws one error for all faults, if there are any. A missing answer decides the error's code, because the client
    /// must ask the customer for it.
    private static func raise(_ faults: [ChatError.Fault]) throws(ChatError) {
        let sorted = faults.sorted { $0.code == .missingPreChatCustomFields && $1.code != .missingPreChatCustomFields }
        guard let first = sorted.first else { return }
        throw ChatError(first.code, first.detail, faults: sorted)
    }

    private static func pointer(_ ident: String) -> String {
        "/customFields/\(ident.escapedForPointer)"
    }
}

extension Channel {
    /// The definitions of a thread's fields: first the survey's, then the channel's others. Where both define an ident,
    /// the survey's counts.
    public var threadFields: [CustomFieldDefinition] {
        let survey = preChatSurvey?.fields ?? []
        return survey + contactFields.filter { field in !survey.contains { $0.ident == field.ident } }
    }
}

extension CustomFieldDefinition {
    fileprivate var expectation: String {
        switch kind {
        case .text: "a text"
        case .email: "an e-mail address"
        case .list: "one of the field's options"
        case .tree: "one of the field's options that has none below it"
        }
    }
}

/// How much the custom fields of one thread, or of one customer, may hold together.
///
/// The fields are part of the thread's own JSON. Each new message reads and writes that JSON, so large fields would
/// slow every message down.
public enum CustomFieldLimits {
    public static let maximumCount = 100
    /// Bytes of all names and values, in UTF-8.
    public static let maximumByteCount = ByteBound.fields.bytes
    /// Characters of a name.
    public static let maximumNameLength = 128
    /// Characters of a value that a client sets.
    public static let maximumValueLength = 4096

    /// Throws `invalidParameter` for fields that are more, or larger, than the limits. Fields that were stored before
    /// the limits existed may stay and may shrink.
    ///
    /// - Parameter known: the fields before the change.
    public static func check(_ fields: [String: String], besides known: [String: String] = [:]) throws(ChatError) {
        guard fields.count <= max(maximumCount, known.count) else {
            throw fault("There are at most \(maximumCount) custom fields; these would be \(fields.count).")
        }
        let byteCount = byteCount(fields)
        guard byteCount <= maximumByteCount || byteCount <= Self.byteCount(known) else {
            throw fault(
                "All custom fields together have at most \(maximumByteCount) bytes of names and values; these would have \(byteCount)."
            )
        }
    }

    /// Whether this field may be set without exceeding the limits. For fields that come from a platform: one that does
    /// not fit is left out, because an error would help nobody.
    public static func allow(_ value: String, as name: String, in fields: [String: String]) -> Bool {
        guard fields[name] != nil || fields.count < maximumCount else { return false }
        var changed = fields
        changed[name] = value
        return byteCount(changed) <= maximumByteCount || value.utf8.count <= (fields[name] ?? "").utf8.count
    }

    private static func byteCount(_ fields: [String: String]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    private static func fault(_ detail: String) -> ChatError {
        ChatError(.invalidParameter, detail, pointer: "/customFields")
    }
}
