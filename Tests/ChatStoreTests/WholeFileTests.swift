import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Files that are read and replaced as a whole.
@Suite struct WholeFileTests {
    @Test func onlyAFileThatIsNotThereIsNone() async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            #expect(try WholeFile.read(path) == nil)
            #expect(try WholeFile.read(folder + "/none/file") == nil)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: WholeFile.Failure.self) { try WholeFile.read(path) }
            try FileManager.default.removeItem(atPath: path)
            #expect(symlink("file", path) == 0)
            #expect(throws: WholeFile.Failure.self) { try WholeFile.read(path) }
            #expect(mkfifo(folder + "/fifo", 0o600) == 0)
            #expect(throws: WholeFile.Failure.self) { try WholeFile.read(folder + "/fifo") }
        }
    }

    @Test(arguments: [0, 1, 4096, 4097, 300_000]) func whatIsWrittenIsRead(count: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try WholeFile.write([1, 2, 3], to: path)
            try WholeFile.write(bytes, to: path)
            #expect(try WholeFile.read(path, limit: count) == bytes)
            if count > 0 { #expect(throws: WholeFile.Failure.self) { try WholeFile.read(path, limit: count - 1) } }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func aWriteThatFailsLeavesTheOldFile() async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            try WholeFile.write([1], to: path)
            try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
            #expect(throws: WholeFile.Failure.self) { try WholeFile.write([2], to: path) }
            #expect(try WholeFile.read(path) == [1])
            #expect(throws: WholeFile.Failure.self) { try WholeFile.write([2], to: folder + "/none/file") }
        }
    }

    @Test func whatIsSetAsideStays() async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            #expect(try WholeFile.setAside(path) == nil)
            for number in 1...3 as ClosedRange<UInt8> {
                try WholeFile.write([number], to: path)
                #expect(try WholeFile.setAside(path) == "\(path).aside-\(number)")
                #expect(try WholeFile.read(path) == nil)
            }
            for number in 1...3 as ClosedRange<UInt8> {
                #expect(try WholeFile.read("\(path).aside-\(number)") == [number])
            }
        }
    }

    @Test func aFolderIsMadeOnce() async throws {
        try await withFolder { folder in
            for _ in 1...2 { try WholeFile.makeFolder(folder + "/sub") }
            try WholeFile.write([1], to: folder + "/sub/file")
            #expect(throws: WholeFile.Failure.self) { try WholeFile.makeFolder(folder + "/none/sub") }
        }
    }
}
