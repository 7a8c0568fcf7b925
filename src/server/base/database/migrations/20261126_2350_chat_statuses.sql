-- The status text that a person chose. It is the same at every process, and outlives a restart.
CREATE TABLE chat_status (
  user_name text PRIMARY KEY,
  ext text NOT NULL
);
