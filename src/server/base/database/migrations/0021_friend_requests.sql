-- Requests to become the friend of a name that no account has. They are kept and answered as those to a stranger are, so that
-- nobody learns which names there are. Their ids come from the same row as those of im_friends.

CREATE TABLE im_friend_requests (
  id bigint PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('im_friends', 'id')),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, user_name)
);
