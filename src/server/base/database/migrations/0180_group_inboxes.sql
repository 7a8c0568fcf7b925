-- A message to a group is stored once, in the inbox of the group: its rows in chat_inbox and chat_inbox_head have the group's key
-- (# and its id) where a user name stands otherwise. What entered the inboxes of members before stays there and is read from there.

-- How far each device of a member has acknowledged the inbox of a group.
CREATE TABLE chat_group_cursor (
  user_name text NOT NULL,
  resource text NOT NULL,
  group_key text NOT NULL,
  acked bigint NOT NULL,
  PRIMARY KEY (user_name, resource, group_key)
);

ALTER TABLE im_group_members
  -- the last entry of the group's inbox when the member came; later entries are for this member
  ADD COLUMN inbox_from bigint;

ALTER TABLE im_groups
  -- grows with each change of who is a member, so that a server process knows whether its list of them is still right
  ADD COLUMN roster bigint NOT NULL DEFAULT 0;

-- Triggers, because groups are also changed by departures, by the provider's cloud and by seeds.
CREATE FUNCTION begin_group_inbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.inbox_from IS NULL THEN
    NEW.inbox_from := coalesce(
      (SELECT h.last_key FROM chat_inbox_head h WHERE h.user_name = '#' || NEW.group_id), 0);
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION raise_group_roster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE im_groups SET roster = roster + 1 WHERE id IN (SELECT c.group_id FROM changed c);
  RETURN NULL;
END $$;

CREATE TRIGGER im_group_members_inbox BEFORE INSERT ON im_group_members
  FOR EACH ROW EXECUTE FUNCTION begin_group_inbox();
CREATE TRIGGER im_group_members_added AFTER INSERT ON im_group_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_group_roster();
CREATE TRIGGER im_group_members_removed AFTER DELETE ON im_group_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_group_roster();
