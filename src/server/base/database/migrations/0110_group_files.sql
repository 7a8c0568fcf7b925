-- Files that members share with their group. They stay until somebody deletes them, or the group ends.
ALTER TABLE chat_files
  ADD COLUMN group_id text REFERENCES im_groups (id) ON DELETE CASCADE;

CREATE INDEX chat_files_group ON chat_files (group_id, created_at)
WHERE
  group_id IS NOT NULL;
