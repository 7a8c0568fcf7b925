-- Whom a person does not want to hear from, and what a person calls another.
CREATE TABLE chat_block (
  user_name text NOT NULL,
  blocked text NOT NULL,
  PRIMARY KEY (user_name, blocked)
);
CREATE TABLE chat_remark (
  user_name text NOT NULL,
  peer text NOT NULL,
  remark text NOT NULL,
  PRIMARY KEY (user_name, peer)
);

-- Up to which message a person has emptied a conversation, and has taken it out of the list. The peer '' stands for all conversations.
CREATE TABLE chat_cleared (
  user_name text NOT NULL,
  peer text NOT NULL,
  cleared_to bigint NOT NULL DEFAULT 0,
  hidden_to bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_name, peer)
);
-- Single messages that a person has removed from the own history.
CREATE TABLE chat_erased (
  user_name text NOT NULL,
  message_id bigint NOT NULL REFERENCES chat_message (id) ON DELETE CASCADE,
  PRIMARY KEY (user_name, message_id)
);
CREATE INDEX chat_erased_message ON chat_erased (message_id);

-- Messages that stand on top of a conversation, for all who are in it.
CREATE TABLE chat_pinned (
  message_id bigint PRIMARY KEY REFERENCES chat_message (id) ON DELETE CASCADE,
  conversation text NOT NULL,
  operator text NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX chat_pinned_conversation ON chat_pinned (conversation, at DESC);

-- Marks 0 to 19 of a person's conversations.
CREATE TABLE chat_mark (
  user_name text NOT NULL,
  peer text NOT NULL,
  mark smallint NOT NULL,
  PRIMARY KEY (user_name, peer, mark)
);

-- Messages that people reported, for the operator.
CREATE TABLE chat_report (
  message_id bigint NOT NULL REFERENCES chat_message (id) ON DELETE CASCADE,
  reporter text NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (message_id, reporter)
);
