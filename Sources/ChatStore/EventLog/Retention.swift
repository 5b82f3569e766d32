import Bounds

/// How long events stay in the log. A stream that resumes before the oldest one gets a reset.
public struct Retention: Sendable {
    public var maximumAgeInMilliseconds: Int64
    /// Events beyond the newest ones of this number are deleted, however young they are.
    public var maximumCount: Int64
    /// Of what the events say, in bytes. Beyond it the oldest ones are deleted, about a thousand at a time; the newest
    /// thousand stay.
    public var maximumBytes: Int64
    /// The most rows that are deleted between two groups of writes: a send waits for no more than this.
    public var batch: Int64

    public init(
        maximumAgeInMilliseconds: Int64 = 7 * 86_400_000, maximumCount: Int64 = 1_000_000, batch: Int64 = 256,
        maximumBytes: Int64 = Int64(ByteBound.log.bytes)
    ) {
        self.maximumAgeInMilliseconds = maximumAgeInMilliseconds
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.batch = batch
    }
}
