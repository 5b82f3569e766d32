/// What the SDK takes for an e-mail address: stricter than RFC 5322, as its forms and transcripts are.
public enum EmailAddress {
    /// Letters, digits and `_%+-` with single dots between; `@`; labels of letters, digits and `-`, the last of 2 to 9
    /// letters.
    public static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2 else { return false }
        let local = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last else { return false }
        guard (2...9).contains(last.count), last.allSatisfy(isLetter) else { return false }
        return local.allSatisfy {
            !$0.isEmpty && $0.allSatisfy { isLetter($0) || isDigit($0) || "_%+-".utf8.contains($0) }
        }
            && labels.allSatisfy {
                !$0.isEmpty && $0.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
