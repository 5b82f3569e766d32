"""A long life under load: clients come and go for minutes or hours, and the gateway's memory is measured."""
