/// Deliveries that wait for somebody, and are looked at again sooner when they are done.
struct HeldDeliveries {
    /// The targets by the deliveries' numbers.
    private var targets: [DeliveryHolder: [Int64: Int64]] = [:]
    /// By the deliveries' numbers.
    private var holders: [Int64: DeliveryHolder] = [:]

    mutating func hold(_ delivery: Int64, of target: Int64, by holder: DeliveryHolder) {
        release(delivery)
        holders[delivery] = holder
        targets[holder, default: [:]][delivery] = target
    }

    /// The delivery does not wait for anybody any more.
    mutating func release(_ delivery: Int64) {
        guard let holder = holders.removeValue(forKey: delivery) else { return }
        targets[holder]?[delivery] = nil
        if targets[holder]?.isEmpty == true { targets[holder] = nil }
    }

    /// Removes what waits for this holder, and returns it.
    mutating func releaseAll(of holder: DeliveryHolder) -> [(number: Int64, target: Int64)] {
        let found = targets.removeValue(forKey: holder) ?? [:]
        for number in found.keys { holders[number] = nil }
        return found.map { (number: $0.key, target: $0.value) }
    }
}
