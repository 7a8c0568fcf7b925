-- Past calls, one row per person and call. They belong to the account and not to a company.
CREATE TABLE call_records (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  call_id text NOT NULL,
  channel text NOT NULL,
  type smallint NOT NULL,
  media text NOT NULL,
  direction text NOT NULL,
  -- Chat user name and name of the other side.
  peer text NOT NULL,
  peer_name text NOT NULL,
  result text NOT NULL,
  started_at timestamptz NOT NULL,
  answered_at timestamptz,
  ended_at timestamptz NOT NULL,
  -- False while only the other side has reported the call, as after a call to a person who was offline.
  own boolean NOT NULL,
  -- The person removed the record. It stays, so that a late report does not bring it back.
  removed boolean NOT NULL DEFAULT false,
  UNIQUE (account_id, call_id)
);
CREATE INDEX call_records_newest ON call_records (account_id, started_at DESC, id DESC) WHERE NOT removed;
CREATE INDEX call_records_started ON call_records (started_at);

SELECT add_menu(NULL, 'im-calls', '通话记录', 'IconPhone', '/im/calls', 1, '{admin,staff,ops}',
  '{"titles": {"zh": "通话记录", "en": "Calls"}}');
