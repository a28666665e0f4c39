-- Failures are few, and asked for with every look at /health/ready.
CREATE INDEX settlement_failed ON settlement (deposit_index) WHERE state = 'failed';
