-- Web Push (docs/calls.md#web-push). These tables belong to no tenant, so its role cannot read them.

-- The key pair by which push services know this server. Browsers subscribe to the public key, so the pair never changes.
CREATE TABLE push_keys (
  id smallint PRIMARY KEY CHECK (id = 1),
  public_key text NOT NULL,
  private_key text NOT NULL
);

-- Browsers that ring without a tab. A subscription ends with the login that made it.
CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- The address at the browser's push service, and the keys that encrypt what goes there.
  endpoint text NOT NULL UNIQUE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  language text NOT NULL,
  created_at timestamptz NOT NULL,
  succeeded_at timestamptz
);
CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);
