/// Runs of combining marks in texts from outside.
///
/// `String` compares and hashes texts by Unicode's normal form, for which it sorts each run of combining marks. That
/// takes time that grows with the square of the run: 32,000 marks cost a second of the processor for one `==`. So a
/// text from outside must not have a long run.
package enum CombiningMarks {
    /// The longest run that a text may have. Texts for people have few marks in a row; Unicode's stream-safe format
    /// (UAX 15, 13) allows 30.
    package static let maximumRun = 256

    /// Whether the scalars have a longer run.
    package static func areTooMany(in scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var run = 0
        for scalar in scalars {
            run = isMark(scalar) ? run + 1 : 0
            if run > maximumRun { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // Below it there is none, and these are the scalars of most texts.
        guard scalar.value >= 0x300 else { return false }
        switch scalar.value {
        // Their class is 0, but they decompose into marks alone.
        case 0xF73, 0xF75, 0xF81: return true
        default: return scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
