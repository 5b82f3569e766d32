// swift-tools-version: 6.1
import PackageDescription

/// Tests/Fuzz/run sets it: the path of libFuzzer's library in the toolchain. Our own targets are instrumented then.
let fuzzer = Context.environment["PARLEY_FUZZER"]
/// Tests/run sets it for the sanitizers. They bring an allocator of their own: memory that one of two allocators has
/// given out must not be freed by the other.
let isSanitized = Context.environment["PARLEY_SANITIZED"] != nil

/// For targets whose small functions run in the hot paths of others: an optimized build may inline them there.
let inlinedElsewhere: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

/// For targets that read and write every byte of JSON, of pages and of articles: without the optimizer they take most
/// of the time of a debug build, and of its tests. Assertions stay.
let fastInDebug: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// The parts that call other machines: webhooks and pushes (trait `Outbound`), NICE CXone with its sandbox (`CXone`), and
/// Sendbird with its sandbox (`Sendbird`). `All` is all of them. It is the default, one trait alone: SwiftPM gives the names
/// of all enabled traits to the compiler, in another order in each run, and a changed order compiles everything anew.
/// Every dependency that only these parts need has one of these conditions, in tests too: without it, a build without the
/// trait would fetch and compile that package.
let outboundTraits: Set = ["All", "CXone", "Outbound", "Sendbird"]
let outbound = TargetDependencyCondition.when(traits: outboundTraits)
let cxone = TargetDependencyCondition.when(traits: ["All", "CXone"])
let sendbird = TargetDependencyCondition.when(traits: ["All", "Sendbird"])

/// For targets that ask which of these parts there are.
let namedParts: [SwiftSetting] = [
    .define("Outbound", .when(traits: outboundTraits)),
    .define("CXone", .when(traits: ["All", "CXone"])),
    .define("Sendbird", .when(traits: ["All", "Sendbird"])),
]

let package = Package(
    name: "parley",
    products: [
        .executable(name: "parley", targets: ["parley"])
    ],
    traits: [
        .default(enabledTraits: ["All"]),
        .trait(name: "All", description: "All parts that call other machines."),
        .trait(name: "Outbound", description: "Webhooks, Web Push, APNs and FCM."),
        .trait(
            name: "CXone", description: "Sessions on NICE CXone, and the sandbox that stands in for it. With Outbound."),
        .trait(
            name: "Sendbird", description: "Sessions on Sendbird, and the sandbox that stands in for it. With Outbound."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .target(name: "Bounds", swiftSettings: inlinedElsewhere + fastInDebug),
        .target(name: "Formats", swiftSettings: inlinedElsewhere + fastInDebug),
        .target(name: "ChatModel", dependencies: ["Formats"], swiftSettings: inlinedElsewhere + fastInDebug),
        .target(
            name: "ChatStore",
            dependencies: [
                "Bounds", "CLZ4", "CSQLite", "ChatModel", "Formats",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
        .target(name: "CPostgreSQL"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "PostgresStore", dependencies: ["CPostgreSQL", "ChatStore"]),
        .target(
            name: "Chat",
            dependencies: [
                "Bounds", "ChatModel", "ChatStore", "Formats",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(name: "LocalService", dependencies: ["Chat", "ChatModel", "ChatStore", "Formats"]),
        .target(
            name: "HTTPClientPort",
            dependencies: [
                "Bounds",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: outbound),
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: outbound),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: outbound),
            ]),
        .target(
            name: "Outbound",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "HTTPClientPort",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: outbound),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "CXoneWire", dependencies: ["Formats"]),
        .target(
            name: "CXoneService",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneWire", "Formats", "HTTPClientPort",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ]),
        // What all stand-ins for platforms share.
        .target(
            name: "SandboxKit",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "HTTPRouting", "LocalService", "MicroHTTP",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
            ]),
        .target(
            name: "CXoneSandbox",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneWire", "Formats", "HTTPRouting", "LocalService",
                "MicroHTTP", "SandboxKit",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ]),
        .target(
            name: "SendbirdWire",
            dependencies: ["Formats", .product(name: "Crypto", package: "swift-crypto", condition: outbound)]),
        .target(
            name: "SendbirdService",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "HTTPClientPort", "SendbirdWire",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
            ]),
        .target(
            name: "SendbirdSandbox",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "HTTPRouting", "LocalService", "MicroHTTP", "SandboxKit",
                "SendbirdWire", .product(name: "Crypto", package: "swift-crypto", condition: outbound),
            ]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CUring"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "MicroHTTP", dependencies: ["Bounds", "CMicroHTTPD", "CUring"]),
        .target(
            name: "HTTPRouting",
            dependencies: ["Bounds", "CCrypt", "CNettle", "CZlib", "Formats", "MicroHTTP"]),
        .target(name: "CJemalloc", linkerSettings: [.linkedLibrary("jemalloc")]),
        .target(
            name: "Gateway",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "HTTPRouting", "MicroHTTP",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        // What browsers load.
        .target(
            name: "Pages",
            dependencies: [
                "Bounds", "Formats", "Gateway", "HTTPRouting", "MicroHTTP", .product(name: "Yams", package: "Yams"),
            ], swiftSettings: fastInDebug),
        // Conversations that are played from files.
        .target(name: "Scenarios", dependencies: ["Formats", .product(name: "Yams", package: "Yams")]),
        // What assistants call: the Model Context Protocol.
        .target(
            name: "Assistants",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "Gateway", "HTTPRouting", "MicroHTTP",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "parley",
            dependencies: [
                "Assistants", "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "Gateway", "HTTPRouting",
                "LocalService", "MicroHTTP", "Pages", "PostgresStore", "Scenarios",
                .target(name: "CXoneSandbox", condition: cxone), .target(name: "CXoneService", condition: cxone),
                .target(name: "HTTPClientPort", condition: outbound), .target(name: "Outbound", condition: outbound),
                .target(name: "SendbirdSandbox", condition: sendbird),
                .target(name: "SendbirdService", condition: sendbird),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + (isSanitized ? [] : ["CJemalloc"]),
            // Swift's libraries become part of the program. It starts in three quarters of the time, and its calls of
            // them do not go through the linker's table.
            swiftSettings: namedParts + [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))],
            linkerSettings: [
                .unsafeFlags(
                    ["-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic"],
                    .when(configuration: .release))
            ]),
        // Makes the Debian package, and an archive for other systems: swift package package-debian.
        .plugin(
            name: "DebianPackage",
            capability: .command(
                intent: .custom(verb: "package-debian", description: "Make a Debian package of the gateway.")),
            path: "Sources/DebianPackage", exclude: ["archive", "debian"]),
        .target(
            name: "TestSupport", dependencies: ["Chat", "ChatModel", "ChatStore", "Formats", "PostgresStore"],
            path: "Tests/TestSupport"),
        // Two gateways joined in memory: what the tests of several targets run on.
        .target(
            name: "WireSupport",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "CXoneSandbox", "CXoneService", "Formats", "HTTPClientPort",
                "HTTPRouting", "LocalService", "MicroHTTP",
                "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/WireSupport"),
        // Webhooks and devices with their routes, for the tests of the gateway and the fuzzer.
        .target(
            name: "OutboundSupport",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "Gateway", "HTTPClientPort", "HTTPRouting", "Outbound",
            ],
            path: "Tests/OutboundSupport"),
        // A gateway in memory with its session, and ways to ask it and to read its streams.
        .target(
            name: "GatewaySupport",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Gateway", "HTTPRouting", "LocalService", "MicroHTTP",
                "OutboundSupport", "Pages", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/GatewaySupport"),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "LocalService", "SandboxKit", "TestSupport", "WireSupport",
            ]),
        // Measures what no program from outside can: it is run by Tests/Benchmarks/run.py.
        .executableTarget(
            name: "sync-bench",
            dependencies: ["Chat", "ChatModel", "ChatStore", "Formats", "LocalService", "TestSupport"],
            path: "Tests/Benchmarks/synchronization"),
        // The peer of sessions on NICE CXone: what SwiftNIO does with the same frames, and nothing else.
        .executableTarget(
            name: "echo-bench",
            dependencies: [
                "CXoneWire", "Formats", .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ],
            path: "Tests/Benchmarks/echo"),
        // The peer of webhooks: what async-http-client does with the same requests, and nothing else.
        .executableTarget(
            name: "post-bench",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: outbound),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
            ],
            path: "Tests/Benchmarks/posts"),
        // Gives bytes that nobody thought of to all that reads bytes from outside. Built without libFuzzer, it replays
        // the corpus.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneSandbox", "CXoneService", "CXoneWire", "Formats",
                "Gateway", "HTTPClientPort", "HTTPRouting", "LocalService", "MicroHTTP", "OutboundSupport",
                "Pages", "TestSupport", "WireSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "run"],
            linkerSettings: fuzzer.map { [.unsafeFlags([$0, "-lstdc++"])] } ?? []),
        .testTarget(name: "BoundsTests", dependencies: ["Bounds"]),
        .testTarget(name: "FormatsTests", dependencies: ["Formats"]),
        .testTarget(name: "ChatModelTests", dependencies: ["ChatModel", "Formats"]),
        .testTarget(
            name: "HTTPClientPortTests",
            dependencies: [
                "Bounds", "HTTPClientPort", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: outbound),
            ]),
        .testTarget(
            name: "OutboundTests",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "HTTPClientPort", "LocalService", "Outbound",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto", condition: outbound),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: outbound),
            ]),
        .testTarget(name: "CXoneWireTests", dependencies: ["CXoneWire", "Formats"]),
        .testTarget(name: "SendbirdWireTests", dependencies: ["Formats", "SendbirdWire"]),
        .testTarget(
            name: "ChatStoreTests",
            dependencies: ["Bounds", "CSQLite", "ChatModel", "ChatStore", "Formats", "TestSupport"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "PostgresStoreTests",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "LocalService", "PostgresStore", "TestSupport",
            ],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "ChatTests",
            dependencies: [
                "Bounds", "CSQLite", "Chat", "ChatModel", "ChatStore", "Formats", "LocalService", "TestSupport",
                "WireSupport",
            ]),
        .testTarget(
            name: "LocalServiceTests",
            dependencies: ["Chat", "ChatModel", "ChatStore", "Formats", "LocalService", "TestSupport"]),
        .testTarget(
            name: "CXoneServiceTests",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneService", "CXoneWire", "Formats", "HTTPClientPort",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: outbound),
                .product(name: "NIOPosix", package: "swift-nio", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ]),
        .testTarget(
            name: "SandboxKitTests",
            dependencies: [
                "ChatModel", "Formats", "HTTPRouting", "MicroHTTP", "SandboxKit", "TestSupport",
            ]),
        .testTarget(
            name: "SendbirdSandboxTests",
            dependencies: [
                "Chat", "ChatModel", "ChatStore", "Formats", "HTTPRouting", "LocalService", "MicroHTTP", "SandboxKit",
                "SendbirdSandbox", "SendbirdWire", "TestSupport",
            ]),
        .testTarget(
            name: "SendbirdServiceTests",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "Formats", "HTTPClientPort", "HTTPRouting", "LocalService",
                "MicroHTTP", "SandboxKit", "SendbirdSandbox", "SendbirdService", "SendbirdWire", "TestSupport",
            ]),
        .testTarget(
            name: "CXoneSandboxTests",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneSandbox", "CXoneWire", "Formats", "HTTPRouting",
                "LocalService", "MicroHTTP", "SandboxKit", "TestSupport", "WireSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: outbound),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: outbound),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: outbound),
            ]),
        .testTarget(
            name: "ParleyTests",
            dependencies: [
                "Bounds", "ChatModel", "Formats", "MicroHTTP", "parley", "Scenarios",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ], swiftSettings: namedParts),
        .testTarget(name: "ScenariosTests", dependencies: ["Formats", "Scenarios"]),
        .testTarget(name: "MicroHTTPTests", dependencies: ["Bounds", "MicroHTTP"]),
        .testTarget(name: "HTTPRoutingTests", dependencies: ["Bounds", "Formats", "HTTPRouting", "MicroHTTP"]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Bounds", "Chat", "ChatModel", "ChatStore", "CXoneService", "Formats", "Gateway", "GatewaySupport",
                "HTTPRouting", "LocalService", "MicroHTTP", "OutboundSupport", "Pages", "TestSupport", "WireSupport",
            ]),
        .testTarget(
            name: "PagesTests",
            dependencies: [
                "ChatModel", "Formats", "Gateway", "GatewaySupport", "HTTPRouting", "MicroHTTP", "Pages", "TestSupport",
            ]),
        .testTarget(
            name: "AssistantsTests",
            dependencies: [
                "Assistants", "Bounds", "Chat", "ChatModel", "Gateway", "GatewaySupport", "HTTPRouting", "MicroHTTP",
                "TestSupport",
            ]),
    ]
)

if fuzzer != nil {
    // Optimized, for a debug build is five times slower. Optimized code traps as well.
    for target in package.targets where [.regular, .executable].contains(target.type) {
        let settings: [SwiftSetting] = [.unsafeFlags(["-O", "-sanitize=fuzzer"])]
        target.swiftSettings =
            (target.swiftSettings ?? []) + settings + (target.name == "fuzz" ? [.define("FUZZER")] : [])
    }
}
