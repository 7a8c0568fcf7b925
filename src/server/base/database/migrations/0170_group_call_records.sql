-- Past group calls: who was inside when, and whether the people concerned have the call in their lists.
CREATE TABLE group_call_visits (
  conference_id text NOT NULL REFERENCES conferences (id) ON DELETE CASCADE,
  -- chat user name
  user_name text NOT NULL,
  entered_at timestamptz NOT NULL,
  -- null: still inside
  left_at timestamptz,
  PRIMARY KEY (conference_id, user_name, entered_at)
);
CREATE UNIQUE INDEX group_call_visits_inside ON group_call_visits (conference_id, user_name) WHERE left_at IS NULL;
CREATE INDEX group_call_visits_entered ON group_call_visits (entered_at);

ALTER TABLE group_call_people ADD COLUMN invited_at timestamptz;

ALTER TABLE conferences ADD COLUMN call_recorded boolean NOT NULL DEFAULT false;
-- Nobody knows who was inside the calls before this migration.
UPDATE conferences SET call_recorded = true WHERE call_id IS NOT NULL AND ended_at IS NOT NULL;
CREATE INDEX conferences_unrecorded ON conferences (ended_at)
  WHERE call_id IS NOT NULL AND ended_at IS NOT NULL AND NOT call_recorded;
CREATE INDEX conferences_past_group ON conferences (call_group, created_at DESC) WHERE call_id IS NOT NULL;
