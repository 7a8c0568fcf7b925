-- Group calls: conferences of their own kind. Only the people whom somebody inside invited, and the members of the call's group, may enter.
ALTER TABLE conferences
  -- the id that the caller's core gave the call; null: a meeting, or a call of two
  ADD COLUMN call_id text,
  -- voice or video
  ADD COLUMN call_media text,
  -- the chat group that called; null: people were chosen
  ADD COLUMN call_group text REFERENCES im_groups (id) ON DELETE SET NULL,
  ADD CONSTRAINT conferences_call CHECK ((call_id IS NULL) = (call_media IS NULL));

CREATE INDEX conferences_call_group ON conferences (call_group) WHERE call_id IS NOT NULL AND ended_at IS NULL;

CREATE TABLE group_call_people (
  conference_id text NOT NULL REFERENCES conferences (id) ON DELETE CASCADE,
  -- chat user name
  user_name text NOT NULL,
  PRIMARY KEY (conference_id, user_name)
);

CREATE INDEX group_call_people_person ON group_call_people (user_name);
