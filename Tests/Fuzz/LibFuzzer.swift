#if FUZZER
    import Glibc

    /// libFuzzer's loop, which calls one target with one input after the other.
    enum LibFuzzer {
        nonisolated(unsafe) private static var check: @Sendable ([UInt8]) throws -> Void = { _ in }

        static func run(_ target: Target, options: Int) {
            check = target.check
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(CommandLine.arguments[0])]
            for argument in CommandLine.arguments.dropFirst(options) { arguments.append(strdup(argument)) }
            var count = Int32(arguments.count)
            arguments.append(nil)
            setenv(Fuzz.targetVariable, target.name, 1)
            arguments.withUnsafeMutableBufferPointer { buffer in
                var base = buffer.baseAddress
                _ = runDriver(&count, &base) { bytes, size in
                    do {
                        try LibFuzzer.check(Array(UnsafeBufferPointer(start: bytes, count: size)))
                    } catch {
                        print("broken rule: \(error)")
                        fflush(nil)
                        abort()
                    }
                    return 0
                }
            }
        }
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    /// libFuzzer asks for the next input here: half of them are its own.
    @_cdecl("LLVMFuzzerCustomMutator")
    func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32) -> Int {
        guard seed % 2 == 0 else { return mutateBytes(bytes, size, limit) }
        var mutation = TokenMutation(seed: seed)
        let result = mutation.apply(to: Array(UnsafeBufferPointer(start: bytes, count: size))).prefix(limit)
        _ = UnsafeMutableBufferPointer(start: bytes, count: limit).update(fromContentsOf: result)
        return result.count
    }

    @_silgen_name("LLVMFuzzerMutate")
    private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int) -> Int
#endif
