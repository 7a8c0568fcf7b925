-- The members whom a message to a group names; null for a message to all. Only they, and its sender, may say anything about it.
ALTER TABLE chat_message ADD COLUMN directed text[];
