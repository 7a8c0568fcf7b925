-- Files that people send in chat. Their contents are those of file_contents, each stored once.
CREATE TABLE chat_files (
  uuid uuid PRIMARY KEY,
  -- chat user name of the person who uploaded it
  owner text NOT NULL,
  -- SHA-256 of the share secret, hex: a copy of the database opens no file
  secret_hash text NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  content_hash text NOT NULL REFERENCES file_contents (hash),
  -- the smaller picture that the sender's client made, if it made one
  thumb_type text,
  thumb_hash text REFERENCES file_contents (hash),
  created_at timestamptz NOT NULL
);

CREATE INDEX chat_files_owner ON chat_files (owner);

CREATE INDEX chat_files_created ON chat_files (created_at);

CREATE INDEX chat_files_content ON chat_files (content_hash);

CREATE INDEX chat_files_thumb ON chat_files (thumb_hash);
