-- What waits for one receiver, without a look at what waits for all the others.
CREATE INDEX webhook_event_waiting ON webhook_event (receiver, next_attempt_at) WHERE state = 'pending';
