import ChatModel
import CXoneWire
import Formats

extension Channel {
    /// A channel as the API shows it (the SDK's `ChannelConfiguration`). Live chat excludes the capabilities of
    /// many threads; only live chats can be offline.
    init(_ configuration: WireChannelConfiguration, id: String) {
        let mode: ChatMode =
            configuration.isLiveChat
            ? .liveChat : configuration.settings.hasMultipleThreadsPerEndUser ? .multithread : .singlethread
        var capabilities = CXoneService.capabilities
        if mode != .multithread { capabilities.subtract([.threads, .rename, .archive]) }
        if mode != .liveChat { capabilities.subtract([.liveChat, .offlineMessages]) }
        if !configuration.settings.isTypingPreviewed { capabilities.remove(.typingPreview) }
        if !configuration.settings.isTranscriptAllowed { capabilities.remove(.transcript) }
        self.init(
            id: id, name: configuration.name ?? id, mode: mode, capabilities: capabilities,
            fileRestrictions: FileRestrictions(configuration.settings.fileRestrictions))
        if let isOnline = configuration.availability?.isOnline { self.isOnline = isOnline || mode != .liveChat }
        if let form = configuration.survey, !form.fields.isEmpty {
            preChatSurvey = PreChatSurvey(name: form.name, fields: form.fields.map(CustomFieldDefinition.init))
        }
    }
}

extension MenuItem {
    /// Nil for an entry that a message could not carry, or that has no label.
    init?(_ item: PersistentMenu.Item) {
        guard !item.label.isEmpty, item.label.unicodeScalars.count <= Self.maximumLabelLength,
            (item.postback ?? "").unicodeScalars.count <= Self.maximumPostbackLength, Identifier.isValid(item.id)
        else { return nil }
        self.init(id: item.id, label: item.label, postback: item.postback.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension FileRestrictions {
    /// Malformed MIME types, which real configurations contain, are left out. The size, in MiB on the wire, is
    /// limited to what the gateway itself takes. Without restrictions attachments are off.
    init(_ wire: WireFileRestrictions?) {
        guard let wire else {
            self = FileRestrictions(isAttachmentsEnabled: false, maximumSize: 0, allowedTypes: [])
            return
        }
        let size = Int64(max(0, min(wire.allowedFileSize, 1 << 20))) << 20
        self.init(
            isAttachmentsEnabled: wire.isAttachmentsEnabled,
            maximumSize: min(size, FileRestrictions.embedded.maximumSize),
            allowedTypes: wire.allowedFileTypes.map(\.mimeType).filter { type in
                let parts = type.split(separator: "/", omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            })
    }
}

extension CustomFieldDefinition {
    init(_ field: SurveyField) {
        let (kind, options): (Kind, [SurveyOption]) =
            switch field.kind {
            case .text: (.text, [])
            case .email: (.email, [])
            case .list(let options): (.list, options)
            case .tree(let options): (.tree, options)
            }
        self.init(
            ident: field.ident, label: field.label, kind: kind, isRequired: field.isRequired,
            options: options.map { Option(id: $0.name, label: $0.label, parentID: $0.parentID) })
    }
}
