-- Conferences of many (types 10, 11, 12, 14) beside the calls of two (type 13), which have a callee and none of what is new here.

ALTER TABLE conferences
  -- null: of no company; then whoever may talk to its creator may enter
  ADD COLUMN company_id bigint REFERENCES companies (id) ON DELETE CASCADE,
  ADD COLUMN name text NOT NULL DEFAULT '',
  -- for those who join by a room's name; null: found by its id alone
  ADD COLUMN room_name text,
  -- scrypt; null: no password
  ADD COLUMN password_hash text,
  -- maxTalkerCount, maxAudienceCount, maxVideoCount, maxPubDesktopCount
  ADD COLUMN limits jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN rec boolean NOT NULL DEFAULT false,
  ADD COLUMN rec_merge boolean NOT NULL DEFAULT false,
  ADD COLUMN live_cfg jsonb,
  -- codecs wanted by the creator, best first
  ADD COLUMN vcodes text[] NOT NULL DEFAULT '{}',
  -- what outlives the server's memory: roles that were given, attributes, mute
  ADD COLUMN state jsonb NOT NULL DEFAULT '{}',
  ALTER COLUMN callee DROP NOT NULL,
  ADD CONSTRAINT conferences_callee CHECK ((type = 13) = (callee IS NOT NULL));

CREATE INDEX conferences_company ON conferences (company_id, created_at);

-- One open room of a name in a company; without a company, one of each creator.
CREATE UNIQUE INDEX conferences_room
  ON conferences (coalesce(company_id, 0), (CASE WHEN company_id IS NULL THEN caller ELSE '' END), room_name)
  WHERE room_name IS NOT NULL AND ended_at IS NULL;

SELECT enable_rls('conferences', 'company_id = current_company()');
