-- Pictures of people. They belong to the account, not to a company; accounts.avatar has the name.
CREATE TABLE account_avatars (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL UNIQUE,
  content_type text NOT NULL,
  content_hash text NOT NULL REFERENCES file_contents (hash),
  size bigint NOT NULL
);

-- The sweep of contents asks for each.
CREATE INDEX account_avatars_content ON account_avatars (content_hash);
