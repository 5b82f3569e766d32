import Foundation

/// Where the other gateways of a database reach one: `--advertise`. With it, standbys pass requests on.
struct AdvertisedAddress {
    /// `http://10.0.0.1:8787`, without a path; nil for the first address at which the gateway listens.
    let url: String?

    /// Nil when the setting is not given. Throws ``SettingsError``.
    init?(_ settings: Settings) throws {
        let text = settings.string(.advertise)
        guard !text.isEmpty else { return nil }
        #if !Outbound
            try settings.refuse([.advertise], part: "the passing on of requests")
        #endif
        guard text != "listen" else {
            url = nil
            return
        }
        guard let address = AdvertisedAddress(text) else {
            throw SettingsError("--advertise is listen, or a URL such as http://10.0.0.1:8787.")
        }
        url = address.url
    }

    /// Reads the URL of a gateway: `http`, a host, and nothing after the port. Nil for any other text.
    init?(_ text: String) {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard text.hasPrefix("http://"), let url = URL(string: text), url.host?.isEmpty == false, url.path.isEmpty,
            url.query == nil, url.fragment == nil, url.user == nil
        else { return nil }
        self.url = text
    }
}
