import ChatModel
import Formats

extension Target {
    /// The canonical JSON, as it is read back from the store. The first byte chooses the type.
    static let models = Target("models") { bytes in
        guard let (read, rest) = bytes.choose(readers) else { return }
        try read(rest)
    }
}

private let readers: [@Sendable ([UInt8]) throws -> Void] = [
    { try fixpoint(Message.self, $0) }, { try fixpoint(ChatThread.self, $0) }, { try fixpoint(Channel.self, $0) },
    { try fixpoint(PreChatSurvey.self, $0) }, { try fixpoint(QuickReplies.self, $0) },
    { try fixpoint(ListPicker.self, $0) },
    { try fixpoint(RichLink.self, $0) }, { try fixpoint(TimePicker.self, $0) }, { try fixpoint(ReplyInfo.self, $0) },
    {
        try fixpoint(InactivityPopup.self, $0)
        _ = try? InactivityPopup(canonicalJSON: $0).endsAt
    },
    {
        try fixpoint(CustomFieldDefinition.self, $0)
        guard let field = try? CustomFieldDefinition(canonicalJSON: $0) else { return }
        for text in field.options.map(\.id) + ["a@b.de"] {
            guard let value = field.value(of: text) else { continue }
            try expect(
                field.value(of: value) == value, "a field takes \(text) for \(value), and that for something else")
        }
    },
]

private func fixpoint<T: CanonicalJSON>(_ type: T.Type, _ bytes: [UInt8]) throws {
    guard let value = try? T(canonicalJSON: bytes) else { return }
    let written = value.canonicalJSON
    guard let again = try? T(canonicalJSON: written) else {
        throw BrokenRule(description: "\(type) does not read what it has written: \(written.text)")
    }
    try expect(again.canonicalJSON == written, "\(type) is written otherwise when read again: \(written.text)")
}
