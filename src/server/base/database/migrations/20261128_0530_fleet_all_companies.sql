-- Each step of the fleet also has a row of all companies together (-1), so that a look at all does not read each of them
-- (docs/server.md#reports-of-cores). This makes the rows of the steps that are there. What a server of the build before writes while it
-- is replaced is missing from them. A histogram is [gap, count, …]: a gap is how many buckets after the one before.
INSERT INTO fleet_rollups (company_id, seconds, at, writer, figures)
WITH own AS (SELECT company_id, seconds, at, writer, figures FROM fleet_rollups WHERE company_id > 0),
steps AS (SELECT DISTINCT seconds, at, writer FROM own),
counted AS (
  SELECT seconds, at, writer, jsonb_object_agg(key, n) AS c
  FROM (SELECT seconds, at, writer, e.key, sum(e.value::numeric) AS n
    FROM own, jsonb_each(figures -> 'c') e GROUP BY 1, 2, 3, 4) s GROUP BY 1, 2, 3),
levels AS (
  SELECT seconds, at, writer, jsonb_object_agg(key, level) AS l
  FROM (SELECT seconds, at, writer, e.key, jsonb_build_array(sum((e.value ->> 0)::float8), sum((e.value ->> 1)::float8),
      max((e.value ->> 2)::float8)) AS level
    FROM own, jsonb_each(figures -> 'l') e GROUP BY 1, 2, 3, 4) s GROUP BY 1, 2, 3),
numbers AS (
  SELECT company_id, seconds, at, writer, e.key, n.value::int AS n, n.ordinality AS place
  FROM own, jsonb_each(figures -> 'h') e, jsonb_array_elements(e.value) WITH ORDINALITY n),
placed AS (
  SELECT seconds, at, writer, key, n, place, sum(n) FILTER (WHERE place % 2 = 1)
    OVER (PARTITION BY company_id, seconds, at, writer, key ORDER BY place) AS bucket
  FROM numbers),
summed AS (
  SELECT seconds, at, writer, key, bucket, sum(n) AS n FROM placed WHERE place % 2 = 0 GROUP BY 1, 2, 3, 4, 5),
gaps AS (
  SELECT seconds, at, writer, key, bucket, n, bucket - lag(bucket, 1, 0::bigint) OVER (PARTITION BY seconds, at, writer, key ORDER BY bucket) AS gap
  FROM summed),
histograms AS (
  SELECT seconds, at, writer, jsonb_object_agg(key, flat) AS h
  FROM (SELECT seconds, at, writer, key, jsonb_agg(v.number ORDER BY bucket, v.place) AS flat
    FROM gaps, LATERAL (VALUES (1, gap::bigint), (2, n::bigint)) v(place, number) GROUP BY 1, 2, 3, 4) s GROUP BY 1, 2, 3)
SELECT -1, seconds, at, writer,
  jsonb_build_object('c', coalesce(c, '{}'), 'h', coalesce(h, '{}'), 'l', coalesce(l, '{}'))
FROM steps LEFT JOIN counted USING (seconds, at, writer) LEFT JOIN levels USING (seconds, at, writer)
  LEFT JOIN histograms USING (seconds, at, writer)
ON CONFLICT DO NOTHING;
