-- Which messages were read, so that history says it after the sender's next login.
-- One message, by its own receipt. A constant default rewrites no row.
ALTER TABLE chat_message ADD COLUMN read boolean NOT NULL DEFAULT false;

-- All that `sender` wrote to `reader` up to a message id, by the receipt of a whole conversation.
CREATE TABLE chat_read (
  reader text NOT NULL,
  sender text NOT NULL,
  up_to bigint NOT NULL,
  PRIMARY KEY (reader, sender)
);

-- Receipts of whole conversations (kind 7) that are still stored; ids are ordered by time.
INSERT INTO chat_read (reader, sender, up_to)
SELECT sender, recipient, max(id) FROM chat_message WHERE kind = 7 GROUP BY sender, recipient;
