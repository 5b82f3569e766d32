import Testing

/// Where the process of the unit tests begins. Without this file SwiftPM writes one, and needs the compiler's index for it.
@main struct TestProcess {
    static func main() async {
        // SwiftPM asks twice, also for XCTest's tests: there are none.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
