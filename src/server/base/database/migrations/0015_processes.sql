-- Several server processes on one database: which of them are alive, and at which one the members of a conference meet.

CREATE TABLE server_processes (
  id text PRIMARY KEY,
  -- how the other processes reach it
  url text NOT NULL,
  seen_at timestamptz NOT NULL
);

CREATE TABLE conference_homes (
  conference_id text PRIMARY KEY REFERENCES conferences (id) ON DELETE CASCADE,
  process_id text NOT NULL REFERENCES server_processes (id) ON DELETE CASCADE,
  members integer NOT NULL DEFAULT 0
);

CREATE INDEX conference_homes_process ON conference_homes (process_id);
