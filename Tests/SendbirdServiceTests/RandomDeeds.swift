import Chat
import ChatModel
@testable import SendbirdService
import TestSupport

/// What customers and agents do in any order, with or without luck; and what the network does to them.
struct RandomDeeds {
    /// Each customer's client, with the gateway at which it is.
    let clients: [(world: TwoGateways, client: ChatClient)]
    /// Otherwise there are polls alone.
    let hasWebhooks: Bool
    private(set) var threads: [String]
    private var random: SeededGenerator
    /// How often each kind was done without an error.
    let counts = Watched<[String: Int]>([:])

    static let kinds = ofMessages + ofDesk + ofThreads + ofMembers + ofNetwork
    private static let weights = kinds.reduce(0) { $0 + $1.weight }
    private static let mostThreads = 4

    init(
        _ clients: [(world: TwoGateways, client: ChatClient)], in thread: String, seed: UInt64, hasWebhooks: Bool
    ) {
        (self.clients, self.hasWebhooks, threads) = (clients, hasWebhooks, [thread])
        random = SeededGenerator(seed: seed)
    }

    /// One deed, with its number. It may wait for time to pass.
    mutating func next(_ step: Int) -> @Sendable () async -> Void {
        let (place, kind) = (Int.random(in: 0..<1000, using: &random), kind())
        if kind.makesThread {
            // All that follow may be done in it, whether it was made or not.
            guard threads.count < Self.mostThreads else { return next(step) }
            threads.append("made_\(step)")
        }
        let thread = kind.makesThread ? threads.last! : threads.randomElement(using: &random)!
        let (world, client) = clients.randomElement(using: &random)!
        let scene = Scene(
            world: world, client: client, thread: thread, step: step, place: place, hasWebhooks: hasWebhooks)
        return { [counts] in
            guard (try? await kind.perform(scene)) != nil else { return }
            counts.change { $0[kind.name, default: 0] += 1 }
        }
    }

    private mutating func kind() -> Kind {
        var rest = Int.random(in: 0..<Self.weights, using: &random)
        for kind in Self.kinds {
            rest -= kind.weight
            if rest < 0 { return kind }
        }
        preconditionFailure("the weights have a sum")
    }

    struct Kind: Sendable {
        let name: String
        /// How often it is done, beside the others.
        let weight: Int
        var makesThread = false
        /// Throws where it cannot be done, or was not done.
        let perform: @Sendable (Scene) async throws -> Void

        init(
            _ name: String, _ weight: Int, makesThread: Bool = false,
            _ perform: @escaping @Sendable (Scene) async throws -> Void
        ) {
            (self.name, self.weight, self.makesThread, self.perform) = (name, weight, makesThread, perform)
        }
    }

    /// Who does a deed, where and at what place of a list; the number is in its text.
    struct Scene: Sendable {
        let world: TwoGateways
        let client: ChatClient
        let thread: String
        let step: Int
        let place: Int
        let hasWebhooks: Bool

        struct Nothing: Error {}

        var customer: String { client.key.customer }
        var desk: DeskThread { DeskThread(id: thread) }

        /// A message of the thread as the customer has it. Changes of older ones are not looked for, as it is
        /// documented.
        func message(where isMeant: (Message) -> Bool = { _ in true }) async throws -> Message {
            try element(of: await world.messages(of: client, in: thread), isMeant)
        }

        /// An agent's message.
        func deskMessage() async throws -> Message {
            try element(of: await world.farMessages(in: thread)) { $0.direction == .toClient }
        }

        private func element(of messages: [Message], _ isMeant: (Message) -> Bool) throws -> Message {
            let meant = messages.suffix(50).filter(isMeant)
            guard !meant.isEmpty else { throw Nothing() }
            return meant[place % meant.count]
        }
    }
}
