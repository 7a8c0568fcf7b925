/**
 * Removes everything that a restore brings: the tables, sequences, functions and types of the schema `public`, but for those of
 * extensions. `pg_restore --clean` cannot, because it drops the keys of partitions one by one, which PostgreSQL refuses. Runs in the
 * transaction of the restore, so that a failed restore changes nothing.
 */
export const CLEAR_PUBLIC = `SET LOCAL client_min_messages = warning;

DO $$
DECLARE thing record;
BEGIN
  FOR thing IN
    SELECT c.oid::regclass AS name,
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
      FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT c.relispartition
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass
          AND (d.deptype = 'e' OR (c.relkind = 'S' AND d.deptype IN ('i', 'a'))))
  LOOP
    EXECUTE format('DROP %s IF EXISTS %s CASCADE', thing.kind, thing.name);
  END LOOP;
  FOR thing IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', thing.name);
  END LOOP;
  FOR thing IN
    SELECT t.oid::regtype AS name FROM pg_type t
      WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('d', 'e')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP TYPE IF EXISTS %s CASCADE', thing.name);
  END LOOP;
END $$;
`;
