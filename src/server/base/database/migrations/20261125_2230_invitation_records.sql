-- An invitation may be for several people, and can be revoked. The page 邀请记录 shows all of them.
ALTER TABLE invitations
  ADD COLUMN uses_max integer NOT NULL DEFAULT 1 CHECK (uses_max > 0),
  ADD COLUMN uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0 AND uses <= uses_max),
  ADD COLUMN revoked_at timestamptz,
  ADD COLUMN revoked_by bigint REFERENCES accounts (id) ON DELETE SET NULL;

UPDATE invitations SET uses = 1 WHERE used_at IS NOT NULL;

CREATE INDEX invitations_revoked_by ON invitations (revoked_by);

-- Several people join by one.
ALTER TABLE membership_applies DROP CONSTRAINT membership_applies_invitation_id_key;

CREATE INDEX membership_applies_invitation ON membership_applies (invitation_id);

SELECT add_menu('supplier', 'invitations', '邀请记录', 'IconLink', '/supplier/invitations', 4, '{admin}',
  '{"titles": {"zh": "邀请记录", "en": "Invitations"}}');
