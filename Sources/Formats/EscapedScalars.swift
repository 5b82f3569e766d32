extension String {
    /// The text with some of its characters written as `\u{...}`, so that a reader sees them.
    public func escapingScalars(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        if unicodeScalars.allSatisfy({ !isEscaped($0) }) { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
