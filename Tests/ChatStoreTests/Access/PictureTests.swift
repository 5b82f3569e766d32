import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct PictureTests {
    private static func people(_ store: ChatStore) async throws {
        try await store.write { transaction in
            for id in ["ada", "bo"] { try transaction.insert(samplePerson(id, createdAt: transaction.now)) }
        }
    }

    @Test func aPictureIsThereAsLongAsSomebodyHasIt() async throws {
        try await withStore { store in
            try await Self.people(store)
            let face = samplePicture("face")
            try await store.write { transaction in
                for id in ["ada", "bo", "bo"] { try transaction.setPicture(face, ofPerson: id) }
            }
            #expect(try await store.count(of: "picture") == 1)
            #expect(try await store.read { try $0.person("bo").picture } == face.digest)
            try await store.write { try $0.setPicture(nil, ofPerson: "ada") }
            #expect(try await store.read { try $0.person("ada").picture } == nil)
            #expect(try await store.read { try $0.picture(face.digest) } == face)
            try await store.write { try $0.setPicture(samplePicture("other"), ofPerson: "bo") }
            #expect(try await store.read { try $0.picture(face.digest) } == nil)
            #expect(try await store.count(of: "picture") == 1)
            let faults = try store.faults()
            #expect(faults == [])
        }
    }

    @Test func aPictureHasABoundAndAPerson() async throws {
        try await withStore { store in
            try await Self.people(store)
            let most = samplePicture("most", byteCount: Picture.maximumByteCount)
            try await store.write { try $0.setPicture(most, ofPerson: "ada") }
            #expect(try await store.read { try $0.picture(most.digest) } == most)
            let more = samplePicture("more", byteCount: Picture.maximumByteCount + 1)
            #expect(
                await refusal { try await store.write { try $0.setPicture(more, ofPerson: "ada") } } == .invalidFileSize
            )
            #expect(
                await refusal { try await store.write { try $0.setPicture(samplePicture("a"), ofPerson: "x") } }
                    == .unknownPerson)
            #expect(try await store.read { try $0.person("ada").picture } == most.digest)
        }
    }
}
