-- Groups of the chat gateway. The tables of the console's calls (0009_im.sql) are the gateway's own, so the two cannot disagree.

-- Everyone in a group belongs to its company. Without one (a group from before, of people without a company in common) nobody is added.
ALTER TABLE im_groups
  ADD COLUMN company_id bigint REFERENCES companies (id) ON DELETE SET NULL,
  ADD COLUMN invite_confirm boolean NOT NULL DEFAULT false,
  ADD COLUMN muted boolean NOT NULL DEFAULT false,
  ADD COLUMN announcement text NOT NULL DEFAULT '',
  ADD COLUMN custom text NOT NULL DEFAULT '';

CREATE INDEX im_groups_company ON im_groups (company_id);

UPDATE im_groups g SET company_id = (
  SELECT min(e.company_id) FROM employees e
  WHERE e.account_id = g.owner_id AND e.dimission_at IS NULL AND NOT EXISTS (
    SELECT FROM im_group_members m
    WHERE m.group_id = g.id AND NOT EXISTS (
      SELECT FROM employees x
      WHERE x.account_id = m.account_id AND x.company_id = e.company_id AND x.dimission_at IS NULL)));

ALTER TABLE im_group_members
  ADD COLUMN admin boolean NOT NULL DEFAULT false,
  -- milliseconds since the epoch; null for a member who may write
  ADD COLUMN muted_until bigint;

-- Who is invited and has not answered, or who asks to join: then there is no inviter.
CREATE TABLE im_group_requests (
  group_id text NOT NULL REFERENCES im_groups (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  inviter_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, account_id)
);

CREATE INDEX im_group_requests_account ON im_group_requests (account_id);

CREATE INDEX im_group_requests_inviter ON im_group_requests (inviter_id);
