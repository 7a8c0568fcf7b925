-- Accounts that are registered with the chat provider's cloud, by application.
CREATE TABLE chat_cloud_people (
  app_key text NOT NULL,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  registered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_key, account_id)
);
CREATE INDEX chat_cloud_people_account ON chat_cloud_people (account_id);
