-- A search looked at each employee of the company for the few that wait for the indexer, unless the planner had fresh statistics. The
-- embedded database has none after an import that was cancelled, and a search of half a million employees held its only connection for
-- five seconds. This text fixes the order: the queue first, then each waiting employee by its id, then the index for those that match.

CREATE OR REPLACE FUNCTION employee_matches(keyword text, gone boolean) RETURNS SETOF bigint
  LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = public, pg_temp AS $$
  SELECT s.employee_id FROM employee_search s
  WHERE s.company_id = current_company() AND s.gone = employee_matches.gone
    AND text_grams(s.words) @>
      CASE WHEN length(keyword) < 2 THEN ARRAY[lower(keyword)]
      ELSE array(SELECT substr(lower(keyword), i, 2) FROM generate_series(1, length(lower(keyword)) - 1) AS i) END
    -- a word of one or two signs is a gram, there is nothing more to ask
    AND (length(keyword) < 3 OR position(lower(keyword) IN s.words) > 0)
  UNION ALL
  SELECT waiting.id FROM (
    SELECT unnest(q.ids) AS id FROM employee_search_queue q WHERE q.company_id = current_company() OFFSET 0
  ) AS queued
  -- Han and digits, as most keywords have them alone, are the same in the words and in the columns that these are made of.
  CROSS JOIN (
    SELECT lower(keyword) AS sought, keyword ~ U&'^[0-9\3400-\9fff]+$' AS is_plain OFFSET 0
  ) AS k
  CROSS JOIN LATERAL (
    SELECT e.id FROM employees e
    WHERE e.id = queued.id AND e.company_id = current_company() AND (e.dimission_at IS NOT NULL) = employee_matches.gone
      AND position(k.sought IN CASE WHEN k.is_plain
        THEN e.name || E'\n' || coalesce(e.employee_no, '') || E'\n' || coalesce(e.phone, '') || E'\n' ||
          coalesce(e.department, '') || E'\n' || coalesce(e."position", '')
        ELSE employee_words(e.name, e.employee_no, e.phone, e.department, e."position") END) > 0
    OFFSET 0
  ) AS waiting
  -- one that was edited while it waited is in the index already
  CROSS JOIN LATERAL (
    SELECT WHERE NOT EXISTS (SELECT FROM employee_search s WHERE s.employee_id = waiting.id) OFFSET 0
  ) AS unindexed
$$;
