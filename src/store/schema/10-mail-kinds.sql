-- What a mail is for. The invoice is mailed as often as the merchant asks; a receipt and a notice go out once.
ALTER TABLE mail ADD COLUMN kind TEXT NOT NULL DEFAULT 'invoice' CHECK (kind IN ('invoice', 'receipt', 'notice'));
CREATE UNIQUE INDEX mail_once ON mail (sequence, kind) WHERE kind <> 'invoice';
