-- Who may not enter a group any more, who may write although the group is muted, what members say of themselves, and who has read what.

CREATE TABLE im_group_blocks (
  group_id text NOT NULL REFERENCES im_groups (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, account_id)
);

CREATE INDEX im_group_blocks_account ON im_group_blocks (account_id);

ALTER TABLE im_group_members
  ADD COLUMN allowed boolean NOT NULL DEFAULT false,
  ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}';

-- Receipts of single messages of groups.
CREATE TABLE chat_group_ack (
  message_id bigint NOT NULL REFERENCES chat_message (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  content text NOT NULL DEFAULT '',
  at bigint NOT NULL,
  PRIMARY KEY (message_id, user_name)
);
