CREATE TABLE quality_batches (
  account_id text NOT NULL,
  batch text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, batch)
);

CREATE INDEX quality_batches_received ON quality_batches (received_at);

CREATE TABLE quality_samples (
  account_id text NOT NULL,
  batch text NOT NULL,
  seq smallint NOT NULL,
  confr_id text NOT NULL,
  mem_name text NOT NULL,
  kind smallint NOT NULL,
  time bigint NOT NULL,
  received_at timestamptz NOT NULL,
  record jsonb NOT NULL,
  PRIMARY KEY (account_id, batch, seq)
);

CREATE INDEX quality_samples_confr ON quality_samples (confr_id, time);

CREATE INDEX quality_samples_received ON quality_samples (received_at);
