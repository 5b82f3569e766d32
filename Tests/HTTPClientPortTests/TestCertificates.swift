import NIOSSL

/// Certificates of a CA that nobody trusts by itself. They are valid for a hundred years from 2026, and protect
/// nothing.
enum TestCertificates {
    /// In PEM.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBhjCCASugAwIBAgIUEdSyqBeXSWgn9g5c4WSoqhPVjK4wCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMUGFybGV5IHRlc3RzMCAXDTI2MTEyMjE2MzMyMFoYDzIxMjYx
        MDI5MTYzMzIwWjAXMRUwEwYDVQQDDAxQYXJsZXkgdGVzdHMwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQVpvQsREokwugPBfhuPbvah/0abW9yitm2iEZaDBaDs3cf
        YHHAe+46EfbbQ273rNd/qZ2TKR3aGEFIobOwWzn4o1MwUTAdBgNVHQ4EFgQU0op5
        NPgDE3rNOOYHG78If7V0r/YwHwYDVR0jBBgwFoAU0op5NPgDE3rNOOYHG78If7V0
        r/YwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAzyx4XSlJfqVZ
        zNuTdjEJ2B9jfFGCaqKo2mxzV5yD3LECIQCzVHfkRZlKiNTKMWQdfXOeu19jzRYz
        jFXYRngU6Sp86g==
        -----END CERTIFICATE-----
        """

    /// What a server needs to show a certificate of this CA.
    static func server(for host: Host) throws -> TLSConfiguration {
        let certificate = try NIOSSLCertificate(bytes: Array(host.certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        return .makeServerConfiguration(certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
    }

    enum Host {
        case localhost, other

        fileprivate var certificate: String {
            self == .localhost ? TestCertificates.localhost : TestCertificates.otherExample
        }
    }

    private static let localhost = """
        -----BEGIN CERTIFICATE-----
        MIIBhzCCAS2gAwIBAgIUNyXfwWKMMzForpQoM1Zvvk6cP7QwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMUGFybGV5IHRlc3RzMCAXDTI2MTEyMjE2MzMyMFoYDzIxMjYx
        MDI4MTYzMzIwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggq
        hkjOPQMBBwNCAAQmV68Qwk8y3YAT8cwT2VWQyZ46LSx7zX8kp3yUNW3Sb62g2k0R
        4AYofonue5HdJ6rr2SWnTvs5evqt/3xPeUdfo1gwVjAUBgNVHREEDTALgglsb2Nh
        bGhvc3QwHQYDVR0OBBYEFOTG9nWlJOjiWnld7mTbTnabqqnjMB8GA1UdIwQYMBaA
        FNKKeTT4AxN6zTjmBxu/CH+1dK/2MAoGCCqGSM49BAMCA0gAMEUCIDSjl+/QwSAY
        MMbh3gzynI4B8I+jYaDFWv8M+fjACH6KAiEA6LBWXr4lF0/TnDo3B0tD8JRsuHPu
        RCOmtcUMXLxz8IM=
        -----END CERTIFICATE-----
        """

    private static let otherExample = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATWgAwIBAgIUNyXfwWKMMzForpQoM1Zvvk6cP7UwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMUGFybGV5IHRlc3RzMCAXDTI2MTEyMjE2MzMyMVoYDzIxMjYx
        MDI4MTYzMzIxWjAYMRYwFAYDVQQDDA1vdGhlci5leGFtcGxlMFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEJlevEMJPMt2AE/HME9lVkMmeOi0se81/JKd8lDVt0m+t
        oNpNEeAGKH6J7nuR3Seq69klp077OXr6rf98T3lHX6NcMFowGAYDVR0RBBEwD4IN
        b3RoZXIuZXhhbXBsZTAdBgNVHQ4EFgQU5Mb2daUk6OJaeV3uZNtOdpuqqeMwHwYD
        VR0jBBgwFoAU0op5NPgDE3rNOOYHG78If7V0r/YwCgYIKoZIzj0EAwIDSAAwRQIg
        Wqiq12KY+tfGYkvkaXtDnzjrjoU+rjwmaI/V+6C2nx4CIQDrW47qGVWUCJrXJHFI
        VndbkwG/7OTzTVktuVoBcgYaCA==
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIDjCh5Qi4TbjufwT
        /ISJk6S2sH0lq8nbdvBIoffgxYyhRANCAAQmV68Qwk8y3YAT8cwT2VWQyZ46LSx7
        zX8kp3yUNW3Sb62g2k0R4AYofonue5HdJ6rr2SWnTvs5evqt/3xPeUdf
        -----END PRIVATE KEY-----
        """
}
