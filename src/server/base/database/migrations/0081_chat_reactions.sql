-- Reactions of people to chat messages.
CREATE TABLE chat_reaction (
  message_id bigint NOT NULL REFERENCES chat_message (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  reaction text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (message_id, reaction, user_name)
);
