-- What people set up for their own use of the console (docs/session.md#preferences). The table belongs to no tenant, so its role cannot read it.
CREATE TABLE preferences (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
