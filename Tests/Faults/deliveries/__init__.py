"""Random histories with webhooks whose receivers fail, while the gateway is killed."""
