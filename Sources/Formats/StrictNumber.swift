extension FixedWidthInteger {
    /// A number as the gateway writes it: decimal digits without a sign and without leading zeros. Nil for anything
    /// else.
    ///
    /// Inlinable, because it is read in each request for a page.
    @inlinable public init?(digits text: some StringProtocol) {
        let bytes = text.utf8
        guard bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            bytes.first != UInt8(ascii: "0") || bytes.count == 1
        else { return nil }
        self.init(text)
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// The same for a number that may be negative; 0 has no sign.
    public init?(signedDigits text: some StringProtocol) {
        guard text.utf8.first == UInt8(ascii: "-") else {
            self.init(digits: text)
            return
        }
        guard let number = Self(digits: text.dropFirst()), number > 0 else { return nil }
        self = -number
    }
}
