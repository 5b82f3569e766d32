/// Time slots to choose from: `TIME_PICKER`.
public struct TimePicker: Sendable, Hashable, WireReadable, WireWritable {
    public struct Slot: Sendable, Hashable, WireReadable, WireWritable {
        public var id: String
        /// In seconds.
        public var duration: Int
        public var startTime: WireTime

        public init(id: String, duration: Int, startTime: WireTime) {
            self.id = id
            self.duration = duration
            self.startTime = startTime
        }

        public init(_ value: WireValue) throws(WireError) {
            id = try value.id("id")
            duration = try value.required("duration")
            startTime = try value.required("startTime")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("id", id)
                writer.member("duration", duration)
                writer.member("startTime", startTime)
            }
        }
    }

    public var title: String
    /// `event.title`: above the slots.
    public var sheetTitle: String
    public var slots: [Slot]

    public init(title: String, sheetTitle: String, slots: [Slot]) {
        self.title = title
        self.sheetTitle = sheetTitle
        self.slots = slots
    }

    public init(_ payload: WireValue) throws(WireError) {
        let title = try payload.requiredContent("title")
        self.title = title
        (sheetTitle, slots) = try payload.inside("event") { event throws(WireError) in
            (event.textContent("title") ?? title, try event.list("timeSlots"))
        }
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("title", content: title)
            writer.object("event") { writer in
                writer.member("title", content: sheetTitle)
                writer.member("timeSlots", slots)
            }
        }
    }
}
