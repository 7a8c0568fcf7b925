-- The dot of a name such as 阿卜来提·如则 is written with many signs. New names have U+00B7 (shared/domain/han-text.ts); the search finds
-- older ones whatever was written. The function does the same as `searchable` there, and the server gives it keywords of that form.

CREATE FUNCTION plain_dots(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN position('.' IN words) = 0 THEN dotted
    ELSE regexp_replace(dotted, '([\u4e00-\u9fff])\.(?=[\u4e00-\u9fff])', E'\\1\u00b7', 'g') END
  FROM (SELECT translate(words,
    U&'\0387\1427\16eb\2022\2024\2027\2218\2219\22c5\2981\2e31\2e33\30fb\318d\a78f\fe52\ff0e\ff65',
    repeat(U&'\00b7', 18)) AS dotted) AS d
$$;

CREATE OR REPLACE FUNCTION employee_words(
  name text, employee_no text, phone text, department text, "position" text
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(plain_dots(name || E'\n' || coalesce(employee_no, '') || E'\n' || coalesce(phone, '') || E'\n' ||
    coalesce(department, '') || E'\n' || coalesce("position", '')))
$$;

-- Those whose words changed wait for the indexer.
WITH changed AS (
  DELETE FROM employee_search WHERE words <> plain_dots(words) RETURNING employee_id, company_id
), numbered AS (
  SELECT employee_id, company_id, (row_number() OVER (PARTITION BY company_id ORDER BY employee_id) - 1) / 200 AS part FROM changed
)
INSERT INTO employee_search_queue (company_id, ids)
  SELECT company_id, array_agg(employee_id) FROM numbered GROUP BY company_id, part;
