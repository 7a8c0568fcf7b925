-- Pictures of business licences that guests send with the registration of a company (docs/session.md#licence-picture). They belong to no
-- company until an approval makes a file of one of them.
CREATE TABLE licence_pictures (
  -- SHA-256 of the token that the sender was given
  token_hash text PRIMARY KEY,
  -- null while no application names it
  apply_id bigint UNIQUE REFERENCES supplier_applies (id) ON DELETE CASCADE,
  original_name text NOT NULL,
  content_type text NOT NULL,
  content_hash text NOT NULL REFERENCES file_contents (hash),
  size bigint NOT NULL,
  -- who sent it, for the limit of an hour
  address text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX licence_pictures_content ON licence_pictures (content_hash);

CREATE INDEX licence_pictures_address ON licence_pictures (address, created_at);

-- name of the company's file that the approval made; empty without one
ALTER TABLE company_profiles ADD COLUMN licence text NOT NULL DEFAULT '';
