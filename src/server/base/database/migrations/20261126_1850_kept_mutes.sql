-- A mute of a member outlives the membership: who leaves a group, or is removed from it, and comes back is muted as before. Every way out of a
-- group and into it changes im_group_members, so its triggers keep the mute and give it back.
CREATE TABLE im_group_mutes (
  group_id text NOT NULL REFERENCES im_groups (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- milliseconds since the epoch
  muted_until bigint NOT NULL,
  PRIMARY KEY (group_id, account_id)
);

CREATE INDEX im_group_mutes_account ON im_group_mutes (account_id);

CREATE FUNCTION keep_group_mute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- nothing where the group or the account itself goes
  INSERT INTO im_group_mutes (group_id, account_id, muted_until)
    SELECT g.id, a.id, OLD.muted_until FROM im_groups g, accounts a
    WHERE g.id = OLD.group_id AND a.id = OLD.account_id
    ON CONFLICT (group_id, account_id) DO UPDATE SET muted_until = excluded.muted_until;
  RETURN NULL;
END $$;

CREATE TRIGGER im_group_members_keep_mute AFTER DELETE ON im_group_members
  FOR EACH ROW WHEN (OLD.muted_until IS NOT NULL) EXECUTE FUNCTION keep_group_mute();

CREATE FUNCTION give_group_mute_back() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept bigint;
BEGIN
  DELETE FROM im_group_mutes m WHERE m.group_id = NEW.group_id AND m.account_id = NEW.account_id
    RETURNING m.muted_until INTO kept;
  NEW.muted_until := coalesce(NEW.muted_until, kept);
  RETURN NEW;
END $$;

CREATE TRIGGER im_group_members_mute_back BEFORE INSERT ON im_group_members
  FOR EACH ROW EXECUTE FUNCTION give_group_mute_back();
