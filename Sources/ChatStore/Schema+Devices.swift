extension Schema {
    /// - `target.address`: where a device is reached, so that it is found when it is registered again. Nil for webhooks, and
    ///   for devices that are gone.
    static let devices = """
        ALTER TABLE target ADD COLUMN address TEXT;
        UPDATE target SET address = json_extract(CAST(json AS TEXT), '$.subscription.endpoint') WHERE kind = 'webPush';
        CREATE INDEX target_address ON target (address) WHERE address IS NOT NULL;
        CREATE INDEX target_desk ON target (kind, number) WHERE account IS NULL;
        """
}
