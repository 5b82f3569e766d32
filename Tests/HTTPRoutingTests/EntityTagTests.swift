import Testing

@testable import HTTPRouting

@Suite struct EntityTagTests {
    @Test func tagsOfPagesDiffer() {
        let tags = ["/a", "/a?limit=1", "/a?limit=2", "/a?"].map { EntityTag(version: 5, target: $0).text }
        #expect(Set(tags).count == 4)
        #expect(tags[0] == "W/\"5-0\"")
        #expect(EntityTag(version: 6, target: "/a").text != tags[0])
    }

    @Test(arguments: [
        ("W/\"5-0\"", true), ("\"5-0\"", true), ("\"x\", W/\"5-0\"", true), ("\"a,b\",\"5-0\"", true), ("*", true),
        ("W/\"4-0\"", false), ("5-0", false), ("", false), ("\"5-0", false), ("\"5-1\"", false), ("\"W/5-0\"", false),
        ("\"05-0\"", false), ("\"+5-0\"", false), ("\"5-00\"", false),
    ])
    func conditions(header: String, matches: Bool) {
        #expect(TagCondition(header).contains(EntityTag(version: 5, target: "/a")) == matches)
    }

    @Test func tagsOfContentsDiffer() {
        let tags = ["", "?limit=1"].flatMap { query in
            [[], [1], [2], [1, 2]].map { EntityTag(version: 5, target: "/a" + query, content: $0) }
        }
        #expect(Set(tags.map(\.text)).count == 8)
        for tag in tags { #expect(TagCondition(tag.text).contains(tag)) }
    }
}
