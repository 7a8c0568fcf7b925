-- An invitation may ask for an approval: who opens it applies, and somebody of the company decides.
ALTER TABLE invitations ADD COLUMN approval boolean NOT NULL DEFAULT false;

ALTER TABLE membership_applies
  ADD COLUMN department_id bigint REFERENCES departments (id) ON DELETE SET NULL,
  -- why it was refused
  ADD COLUMN reason text NOT NULL DEFAULT '',
  ADD COLUMN decided_by bigint REFERENCES accounts (id) ON DELETE SET NULL;

CREATE INDEX membership_applies_department ON membership_applies (department_id);

CREATE INDEX membership_applies_decided_by ON membership_applies (decided_by);

-- A person waits for one decision of a company at a time. Of several from before, the newest waits on.
UPDATE membership_applies p SET status = 'refused', decided_at = now() WHERE status = 'pending' AND EXISTS (
  SELECT FROM membership_applies n WHERE n.company_id = p.company_id AND n.account_id = p.account_id
    AND n.status = 'pending' AND n.id > p.id);

CREATE UNIQUE INDEX membership_applies_open ON membership_applies (company_id, account_id) WHERE status = 'pending';

SELECT add_menu('supplier', 'applies', '加入申请', 'IconEmail', '/supplier/applies', 5, '{admin}',
  '{"titles": {"zh": "加入申请", "en": "Membership applications"}}');
