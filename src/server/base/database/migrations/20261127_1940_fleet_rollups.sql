-- What the cores of a company reported, added up by 10 s, by minute and by hour (docs/server.md#reports-of-cores). Each server process
-- writes rows of its own, so that none waits for another; who reads adds them up. No reference to companies, because one insert has the
-- rows of many; rows of a company that is gone are removed with their time.
CREATE TABLE fleet_rollups (
  company_id bigint NOT NULL,
  -- of the step
  seconds integer NOT NULL,
  at timestamptz NOT NULL,
  -- the server process
  writer text NOT NULL,
  -- c: counters, h: histograms of durations, l: levels
  figures jsonb NOT NULL,
  PRIMARY KEY (company_id, seconds, at, writer)
) PARTITION BY LIST (seconds);

SELECT enable_company_rls('fleet_rollups');

-- On PostgreSQL the server adds a partition for each day (src/server/modules/fleet/store.ts) and drops it whole. What lies in none
-- of them, and everything on the embedded database, lies in the default one.
DO $$
DECLARE step integer;
BEGIN
  FOREACH step IN ARRAY '{10,60,3600}'::integer[] LOOP
    EXECUTE format('CREATE TABLE fleet_rollups_%s PARTITION OF fleet_rollups FOR VALUES IN (%s) PARTITION BY RANGE (at)', step, step);
    EXECUTE format('CREATE TABLE fleet_rollups_%s_rest PARTITION OF fleet_rollups_%s DEFAULT', step, step);
  END LOOP;
END $$;

SELECT add_permission('monitor:fleet:list', '{ops}');

SELECT add_permission('monitor:fleet:view', '{ops}');

-- Counts in the platform's company alone.
SELECT add_permission('platform:fleet:list', '{ops}');

SELECT add_permission('platform:fleet:view', '{ops}');
