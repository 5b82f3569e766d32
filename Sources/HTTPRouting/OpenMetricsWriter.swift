import Formats

/// Writes the OpenMetrics text format 1.0. The caller writes each family once, followed by all of its samples, and at
/// last ``end()``.
package struct OpenMetricsWriter {
    /// Everything written so far.
    package private(set) var text = ""

    package init() {}

    /// Begins a family.
    ///
    /// - Parameters:
    ///   - name: without the suffix `_total`; with a unit it must end in `_<unit>`.
    ///   - type: an OpenMetrics type such as `counter`, `gauge`, `histogram` or `info`.
    ///   - help: one line; it is not escaped.
    package mutating func family(_ name: String, _ type: String, unit: String? = nil, _ help: String) {
        text += "# TYPE \(name) \(type)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    /// Adds a sample to the family. `name` is complete, with a suffix such as `_total`; label values are escaped here.
    package mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(Self.escape($0.1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(Self.number(value))\n"
    }

    package mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: some BinaryInteger) {
        sample(name, labels, Double(value))
    }

    /// A whole family of type gauge with one sample and no labels.
    package mutating func gauge(_ name: String, unit: String? = nil, _ help: String, _ value: some BinaryInteger) {
        family(name, "gauge", unit: unit, help)
        sample(name, [], value)
    }

    /// A whole family of type counter with one sample; the suffix `_total` is added here.
    package mutating func counter(_ name: String, unit: String? = nil, _ help: String, _ value: Double) {
        family(name, "counter", unit: unit, help)
        sample("\(name)_total", [], value)
    }

    /// Writes the `# EOF` line, without which a scraper discards everything.
    package mutating func end() { text += "# EOF\n" }

    /// Writes whole numbers without a fraction, so that bucket bounds and counts stay short. The value must be finite.
    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    private static func escape(_ text: String) -> String {
        text.escapingScalars { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            // The format has no escape for others: a scraper reads this one as a text.
            default: scalar.isObeyed ? "\\\(scalar.shown)" : nil
            }
        }
    }
}
