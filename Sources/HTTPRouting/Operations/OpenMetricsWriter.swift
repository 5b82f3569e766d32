/// Writes the OpenMetrics text format: for each family its type, unit and help, then its samples.
package struct OpenMetricsWriter {
    package private(set) var text = ""

    package init() {}

    package mutating func family(_ name: String, _ type: String, unit: String? = nil, _ help: String) {
        text += "# TYPE \(name) \(type)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

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

    /// A family with one sample.
    package mutating func gauge(_ name: String, unit: String? = nil, _ help: String, _ value: some BinaryInteger) {
        family(name, "gauge", unit: unit, help)
        sample(name, [], value)
    }

    package mutating func counter(_ name: String, unit: String? = nil, _ help: String, _ value: Double) {
        family(name, "counter", unit: unit, help)
        sample("\(name)_total", [], value)
    }

    package mutating func end() { text += "# EOF\n" }

    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    private static func escape(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.append(character)
            }
        }
        return out
    }
}
