CREATE TABLE conferences (
  id text PRIMARY KEY,
  type smallint NOT NULL,
  caller text NOT NULL,
  callee text NOT NULL,
  created_at timestamptz NOT NULL,
  active_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason smallint
);

CREATE INDEX conferences_open ON conferences (ended_at, active_at);

CREATE INDEX conferences_caller ON conferences (caller);

CREATE INDEX conferences_callee ON conferences (callee);
