-- Opinion scores of the streams of calls and conferences, added up as their records come, so that a list of calls can be sorted by its
-- scores (docs/server.md#quality-of-calls). They go with the records.
CREATE TABLE quality_streams (
  confr_id text NOT NULL,
  account_id text NOT NULL,
  -- of the stream, as the account's own devices name it
  stream text NOT NULL,
  -- chat user name of the one whose stream it is
  sender text NOT NULL,
  kind text NOT NULL,
  received boolean NOT NULL,
  -- scores times 100
  mos_sum bigint NOT NULL,
  samples integer NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (confr_id, account_id, stream)
);

CREATE INDEX quality_streams_received ON quality_streams (received_at);

CREATE INDEX call_records_channel ON call_records (channel);

SELECT add_permission('monitor:call:list', '{ops}');

SELECT add_permission('monitor:call:view', '{ops}');

-- Counts in the platform's company alone.
SELECT add_permission('platform:call:list', '{ops}');

SELECT add_permission('platform:call:view', '{ops}');

SELECT add_menu('monitor', 'monitor-calls', '通话质量', 'IconPhone', '/monitor/calls', 0, '{admin,ops}',
  '{"titles": {"zh": "通话质量", "en": "Quality of calls"}}');
