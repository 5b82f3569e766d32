/// Where a session's connection to its service stands, in the order of the SDK's `ChatState`.
public enum ChatState: String, Sendable, CaseIterable, Comparable {
    case initial, preparing, prepared, offline, connecting, connected, ready, closed

    public static func < (left: ChatState, right: ChatState) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Threads and messages can be worked with (the SDK's `isChatAvailable`).
    public var isChatAvailable: Bool { self >= .connected }

    /// What the customer does beside talking can be told (the SDK's `isAnalyticsAvailable`).
    public var isAnalyticsAvailable: Bool { self >= .prepared }

    /// `prepare` may begin here (the SDK's `isPrepareable`).
    public var isPrepareable: Bool { self == .initial || self == .prepared || self == .offline }
}

/// How a channel holds its conversations.
public enum ChatMode: String, Sendable, CaseIterable {
    case singlethread, multithread, liveChat
}
