-- Anybody can send many small payments to one address: what a transaction left there is found without reading them all.
DROP INDEX transfer_by_deposit;
CREATE INDEX transfer_by_deposit ON transfer (deposit_index, tx_hash);
-- What is worth settling, without a look at all that is too little.
CREATE INDEX deposit_to_settle ON deposit (received_amount - settled_amount) WHERE received_amount > settled_amount;
