extension Schema {
    /// The rows that a total of what an account has not read is made of, and no others: see ``ReadTransaction/unreadTotal(of:)``.
    static let unread = """
        CREATE INDEX member_unread ON member (account, unread)
        WHERE unread > 0 AND isClosed = 0 AND isHidden = 0 AND state = 'joined';
        """
}
