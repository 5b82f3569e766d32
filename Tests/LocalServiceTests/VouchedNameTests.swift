import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// A name that the shop has given is not the customer's to change.
@Suite struct VouchedNameTests {
    @Test func onlyWhoVouchesChangesTheName() async throws {
        try await Local.run { local in
            let person = try await local.person()
            func name(_ first: String?, isVouched: Bool) async -> ChatError.Code? {
                await refusal {
                    _ = try await person.connection.setCustomer(CustomerDraft(firstName: first, isVouched: isVouched))
                }
            }
            #expect(await name("Ann", isVouched: false) == nil)
            #expect(await name("Ada", isVouched: true) == nil)
            #expect(await name("CEO", isVouched: false) == .nameVouched)
            #expect(await name(nil, isVouched: false) == .nameVouched)
            // What changes nothing is no change.
            #expect(await name("Ada", isVouched: false) == nil)
            #expect(try await local.store.read { try $0.account(person.account).customer.firstName } == "Ada")
            // Fields are the customer's own, and leave the name as it is.
            _ = try await person.connection.setCustomerCustomFields(["x": "1"])
            #expect(await name("CEO", isVouched: false) == .nameVouched)
            #expect(await name("Bea", isVouched: true) == nil)
            #expect(await name(nil, isVouched: true) == nil)
            #expect(await name("Ann", isVouched: false) == nil)
        }
    }

    @Test func theDeskVouchesForItsMembers() async throws {
        try await Local.run { local in
            let draft = DeskThreadDraft(
                id: "g1", channel: "multi", members: [MemberDraft(id: "c1", firstName: "Ann"), MemberDraft(id: "c2")])
            _ = try await local.desk.createThread(draft, receipt: nil)
            let named = try await local.person("c1"), nameless = try await local.person("c2")
            #expect(
                await refusal { _ = try await named.connection.setCustomer(CustomerDraft(firstName: "CEO")) }
                    == .nameVouched)
            _ = try await nameless.connection.setCustomer(CustomerDraft(firstName: "Bob"))
        }
    }
}
