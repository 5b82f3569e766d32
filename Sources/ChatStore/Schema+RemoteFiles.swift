extension Schema {
    /// Where files of remote services are kept there, by the ids of their attachments; and where their channels are.
    ///
    /// `isHere` is 0 while the bytes of a file were not fetched: then its attachment has no digest and size yet.
    static let remoteFiles = """
        CREATE TABLE remoteFile (attachment TEXT PRIMARY KEY, url TEXT NOT NULL, isHere INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE remoteChannel (
            service TEXT NOT NULL, id TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (service, id)
        ) WITHOUT ROWID;
        """
}
