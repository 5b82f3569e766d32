/// The marks by which hidden messages are known: `parameters`, on the wire `{}` or `[]` when there are none.
public struct MessageParameters: Sendable, Hashable, WireReadable, WireWritable {
    /// Begins a live chat.
    public var isInitialMessage: Bool
    /// The automatic answer to content that a client can't show.
    public var isUnsupportedMessageTypeAnswer: Bool
    public var isInactivityPopupAnswer: Bool

    public init(
        isInitialMessage: Bool = false, isUnsupportedMessageTypeAnswer: Bool = false, isInactivityPopupAnswer: Bool = false
    ) {
        self.isInitialMessage = isInitialMessage
        self.isUnsupportedMessageTypeAnswer = isUnsupportedMessageTypeAnswer
        self.isInactivityPopupAnswer = isInactivityPopupAnswer
    }

    /// Nobody sees a message with a mark, neither customer nor agent.
    public var isHidden: Bool { self != MessageParameters() }

    /// Whatever else `parameters` holds is let pass: the platform's own marks are of no account here.
    public init(_ value: WireValue) {
        isInitialMessage = value["isInitialMessage"]?.kind == .true
        isUnsupportedMessageTypeAnswer = value["isUnsupportedMessageTypeAnswer"]?.kind == .true
        isInactivityPopupAnswer = value["isInactivityPopupAnswer"]?.kind == .true
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("isInitialMessage", ifPresent: isInitialMessage ? true : nil)
            writer.member("isUnsupportedMessageTypeAnswer", ifPresent: isUnsupportedMessageTypeAnswer ? true : nil)
            writer.member("isInactivityPopupAnswer", ifPresent: isInactivityPopupAnswer ? true : nil)
        }
    }
}
