/// How many items are asked for at a time where all of them would make an answer too large to be read. It is pure.
///
/// After an answer that was too large it is a quarter of them, down to one; and then, of a list of channels, all of
/// them without their members. After many answers that could be read it is four times as many, up to all.
struct AnswerSize: Sendable, Equatable {
    struct Asked: Sendable, Equatable, Comparable {
        var items: Int
        var hasMembers = true

        static func < (left: Asked, right: Asked) -> Bool {
            (left.hasMembers ? 1 : 0, left.items) < (right.hasMembers ? 1 : 0, right.items)
        }
    }

    let most: Int
    /// Whether the members of the channels may be left out.
    let dropsMembers: Bool
    private(set) var asked: Asked
    /// How many answers could be read since the last change.
    private var readCount = 0
    /// After how many of them more is asked for.
    private var patience = leastPatience
    /// Whether more is asked for than after the last answer that was too large.
    private var hasGrown = false

    static let leastPatience = 32
    /// Each answer that is too large is read up to the limit for nothing.
    static let mostPatience = 2048

    init(most: Int, dropsMembers: Bool) {
        (self.most, self.dropsMembers) = (most, dropsMembers)
        asked = Asked(items: most)
    }

    /// Whether all is asked for.
    var isWhole: Bool { asked == Asked(items: most) }

    /// An answer to what was asked could be read.
    mutating func couldBeRead(_ asked: Asked) {
        guard asked == self.asked, !isWhole else { return }
        readCount += 1
        guard readCount >= patience else { return }
        (readCount, hasGrown) = (0, true)
        self.asked = Asked(items: asked.hasMembers ? min(most, asked.items * 4) : 1)
    }

    /// An answer to what was asked was too large. Returns false if nothing smaller can be asked for.
    mutating func wasTooLarge(_ asked: Asked) -> Bool {
        let less: Asked
        if asked.items > 1 {
            less = Asked(items: max(1, asked.items / 4), hasMembers: asked.hasMembers)
        } else if dropsMembers, asked.hasMembers {
            less = Asked(items: most, hasMembers: false)
        } else {
            return false
        }
        // Somebody else may have found it out meanwhile.
        guard less < self.asked else { return true }
        if hasGrown { patience = min(patience * 2, Self.mostPatience) }
        (self.asked, readCount, hasGrown) = (less, 0, false)
        return true
    }
}
