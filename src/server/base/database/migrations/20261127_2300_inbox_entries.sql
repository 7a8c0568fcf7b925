-- An inbox entry is written with its message in one transaction, so a foreign key checks what is known. It costs a query for each entry, and
-- PostgreSQL keeps the plan of that query for as long as the connection lives: one made while the table is small reads the whole table for
-- each entry, later also of a large one. What the key did for deleted messages, one statement does for all messages of a deletion.
ALTER TABLE chat_inbox DROP CONSTRAINT chat_inbox_message_id_fkey;

CREATE FUNCTION delete_entries_of_messages() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM chat_inbox i USING gone g WHERE i.message_id = g.id;
  RETURN NULL;
END $$;

CREATE TRIGGER chat_message_entries AFTER DELETE ON chat_message
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_entries_of_messages();
