-- An invitation may go by SMS to a mobile number, which alone can use it (docs/server.md#invitations).
ALTER TABLE invitations
  ADD COLUMN mobile text,
  -- of the last SMS with its link: whether it was sent, why not, when, and how many there were
  ADD COLUMN sms_sent boolean,
  ADD COLUMN sms_reason text NOT NULL DEFAULT '',
  ADD COLUMN sms_at timestamptz,
  ADD COLUMN sms_count integer NOT NULL DEFAULT 0,
  -- when its page was opened first
  ADD COLUMN opened_at timestamptz;

CREATE INDEX invitations_mobile ON invitations (mobile) WHERE mobile IS NOT NULL;

CREATE INDEX invitations_sms ON invitations (company_id, sms_at) WHERE sms_at IS NOT NULL;
