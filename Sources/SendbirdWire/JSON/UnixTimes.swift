import Formats

/// A time in whole seconds since 1970: when a user or a channel was made, or somebody joined.
package struct UnixSeconds: Sendable, Hashable, Comparable {
    package let value: Int64

    package init(_ value: Int64) { self.value = value }

    package init(_ time: Timestamp) { self.init(time.milliseconds / 1000) }

    /// Takes a time that is told in milliseconds for what it is: the platform does not always keep to one unit.
    init(reading number: Int64) { self.init(UnixUnit(of: number) == .milliseconds ? number / 1000 : number) }

    package var time: Timestamp { Timestamp(milliseconds: value.multipliedClamping(by: 1000)) }

    package static func < (left: UnixSeconds, right: UnixSeconds) -> Bool { left.value < right.value }
}

/// A time in milliseconds since 1970: everything else. 0 or less stands for never.
package struct UnixMilliseconds: Sendable, Hashable, Comparable {
    package let value: Int64

    package static let never = UnixMilliseconds(0)

    package init(_ value: Int64) { self.value = value }

    package init(_ time: Timestamp) { self.init(time.milliseconds) }

    /// Takes a time that is told in seconds for what it is.
    init(reading number: Int64) { self.init(UnixUnit(of: number) == .seconds ? number * 1000 : number) }

    /// Nil for never.
    package var time: Timestamp? { value > 0 ? Timestamp(milliseconds: value) : nil }

    package static func < (left: UnixMilliseconds, right: UnixMilliseconds) -> Bool { left.value < right.value }
}

/// In which unit a number from outside tells a time of this century.
private enum UnixUnit {
    case seconds, milliseconds
    /// No time of the platform's: it did not exist in 1973. 0 and -1 are among them, which tell that there is none.
    case unknown

    init(of number: Int64) {
        self =
            switch number {
            case ..<100_000_000: .unknown
            case ..<100_000_000_000: .seconds
            default: .milliseconds
            }
    }
}

extension Int64 {
    fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: factor)
        return overflows ? (self < 0 ? .min : .max) : product
    }
}
