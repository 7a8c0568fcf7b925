-- The second factor of a login (docs/session.md#two-factor). It belongs to the account, so a company's role reads none of it.

CREATE TABLE account_totp (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- AES-256-GCM with a key from APP_SECRET: nonce, tag and ciphertext in base64url
  secret text NOT NULL,
  -- null until the person has shown a first code
  confirmed_at timestamptz,
  -- The period of the code that was accepted last: each code is good once.
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE account_recovery_codes (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- HMAC with a key from APP_SECRET
  code_hash text NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);
