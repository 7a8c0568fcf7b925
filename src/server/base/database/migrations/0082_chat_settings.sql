-- How a person keeps a conversation in the list: pinned, and with or without notifications.
CREATE TABLE chat_setting (
  user_name text NOT NULL,
  -- the other person's user name, or # and the id of a group; empty for the person's setting of all conversations
  peer text NOT NULL,
  -- milliseconds since the epoch; null for a conversation that is not pinned
  pinned_at bigint,
  -- of which messages the person wants notifications: ALL, AT or NONE; null for the setting of all conversations
  remind text,
  -- milliseconds since the epoch until which there are no notifications
  quiet_until bigint,
  -- a daily span without notifications, as the provider writes it: 22:30-7:15
  quiet_daily text,
  PRIMARY KEY (user_name, peer)
);
