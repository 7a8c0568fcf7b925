-- Edits of messages. `meta` of an edited message has its newest text; each edit is a message of kind 8 of its own.
ALTER TABLE chat_message
  -- how often the message was edited
  ADD COLUMN edits smallint NOT NULL DEFAULT 0,
  -- the message that this one edits
  ADD COLUMN edit_of bigint REFERENCES chat_message (id) ON DELETE CASCADE;

CREATE INDEX chat_message_edit_of ON chat_message (edit_of) WHERE edit_of IS NOT NULL;
