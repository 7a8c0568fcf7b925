-- A file that came in parts bears the id of its upload: who did not hear that it is kept asks again, and it is not kept twice.
ALTER TABLE files ADD COLUMN upload_id text;

CREATE UNIQUE INDEX files_upload ON files (upload_id) WHERE upload_id IS NOT NULL;
