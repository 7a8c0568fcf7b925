-- Channels of the Agora engine, which their callers name. Who asked first decides who else may join.
CREATE TABLE agora_channels (
  name text PRIMARY KEY,
  -- Chat user name of the account that asked for the first token.
  founder text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX agora_channels_created ON agora_channels (created_at);
