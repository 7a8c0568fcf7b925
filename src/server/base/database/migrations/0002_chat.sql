-- Messages of the chat gateway. Ids are made by the server (time-ordered), never by the database.
CREATE TABLE chat_message (
  id bigint PRIMARY KEY,
  sender text NOT NULL,
  recipient text NOT NULL,
  -- both names sorted, joined by |
  conversation text NOT NULL,
  -- the sender's own id and a digest of the content: a resend after a lost acknowledgement meets the same row
  client_id text NOT NULL,
  digest text NOT NULL,
  kind smallint NOT NULL,
  -- whether it belongs into the history of the conversation
  roams boolean NOT NULL,
  recalled boolean NOT NULL DEFAULT false,
  sent_at bigint NOT NULL,
  -- the provider's Meta as it goes out
  meta bytea NOT NULL
);

CREATE UNIQUE INDEX chat_message_resend ON chat_message (sender, client_id, digest);

CREATE INDEX chat_message_history ON chat_message (conversation, id) WHERE roams;

CREATE INDEX chat_message_sender ON chat_message (sender, id) WHERE roams;

CREATE INDEX chat_message_recipient ON chat_message (recipient, id) WHERE roams;

CREATE INDEX chat_message_transient ON chat_message (sent_at) WHERE NOT roams;

-- Last key given out in a user's inbox; its row lock orders concurrent writers.
CREATE TABLE chat_inbox_head (
  user_name text PRIMARY KEY,
  last_key bigint NOT NULL
);

CREATE TABLE chat_inbox (
  user_name text NOT NULL,
  key bigint NOT NULL,
  message_id bigint NOT NULL REFERENCES chat_message (id) ON DELETE CASCADE,
  -- the sender's copy skips the device it was sent from
  except_resource text,
  PRIMARY KEY (user_name, key)
);

CREATE INDEX chat_inbox_message ON chat_inbox (message_id);

-- How far each device of a user has acknowledged its inbox.
CREATE TABLE chat_cursor (
  user_name text NOT NULL,
  resource text NOT NULL,
  acked bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (user_name, resource)
);

CREATE TABLE chat_presence_subscription (
  subscriber text NOT NULL,
  target text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (subscriber, target)
);

CREATE INDEX chat_presence_target ON chat_presence_subscription (target);

-- Attributes a user gave through the provider's own interface (nickname, sign …).
CREATE TABLE chat_profile (
  user_name text PRIMARY KEY,
  attributes jsonb NOT NULL
);
