-- The three foreign keys of employees are checked once per statement. The database checks a foreign key of its own by one trigger
-- call per row and key, which took a third of what an import costs. The rules stay the same: an unknown company, account or
-- department is refused (foreign_key_violation); the deletion of a company deletes its employees; the deletion of an account or a
-- department empties the column.

ALTER TABLE employees
  DROP CONSTRAINT employees_company_id_fkey,
  DROP CONSTRAINT employees_account_id_fkey,
  DROP CONSTRAINT employees_department_id_fkey;

-- Locks the rows that the ids name against deletion until the end of the transaction, as a foreign key does. A deletion that is
-- under way is waited for, and its row is unknown afterwards.
CREATE FUNCTION check_employee_references(company_ids bigint[], account_ids bigint[], department_ids bigint[]) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  known bigint;
  missing text;
BEGIN
  IF company_ids IS NOT NULL THEN
    PERFORM FROM companies WHERE id = ANY (company_ids) ORDER BY id FOR KEY SHARE;
    GET DIAGNOSTICS known = ROW_COUNT;
    IF known < cardinality(company_ids) THEN missing := 'company_id'; END IF;
  END IF;
  IF account_ids IS NOT NULL THEN
    PERFORM FROM accounts WHERE id = ANY (account_ids) ORDER BY id FOR KEY SHARE;
    GET DIAGNOSTICS known = ROW_COUNT;
    IF known < cardinality(account_ids) THEN missing := 'account_id'; END IF;
  END IF;
  IF department_ids IS NOT NULL THEN
    PERFORM FROM departments WHERE id = ANY (department_ids) ORDER BY id FOR KEY SHARE;
    GET DIAGNOSTICS known = ROW_COUNT;
    IF known < cardinality(department_ids) THEN missing := 'department_id'; END IF;
  END IF;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'insert or update on table "employees" violates foreign key constraint "employees_%_fkey"', missing
      USING ERRCODE = 'foreign_key_violation', TABLE = 'employees', CONSTRAINT = 'employees_' || missing || '_fkey';
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION check_employee_references(bigint[], bigint[], bigint[]) FROM public;

CREATE FUNCTION employee_references_added() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM check_employee_references(
    array_agg(DISTINCT company_id),
    array_agg(DISTINCT account_id) FILTER (WHERE account_id IS NOT NULL),
    array_agg(DISTINCT department_id) FILTER (WHERE department_id IS NOT NULL))
  FROM added;
  RETURN NULL;
END $$;

-- Triggers run in the order of their names; this one must precede those that count and index.
CREATE TRIGGER check_employees_added AFTER INSERT ON employees
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION employee_references_added();

-- Per row: few updates change a reference, and the condition costs next to nothing.
CREATE FUNCTION employee_references_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM check_employee_references(
    CASE WHEN new.company_id IS DISTINCT FROM old.company_id THEN ARRAY[new.company_id] END,
    CASE WHEN new.account_id IS DISTINCT FROM old.account_id AND new.account_id IS NOT NULL THEN ARRAY[new.account_id] END,
    CASE WHEN new.department_id IS DISTINCT FROM old.department_id AND new.department_id IS NOT NULL
      THEN ARRAY[new.department_id] END);
  RETURN NULL;
END $$;

CREATE TRIGGER check_employees_changed AFTER UPDATE OF company_id, account_id, department_id ON employees
  FOR EACH ROW WHEN ((new.company_id, new.account_id, new.department_id) IS DISTINCT FROM
    (old.company_id, old.account_id, old.department_id))
  EXECUTE FUNCTION employee_references_changed();

-- A deletion waits for the writers that locked its row, and then must see the employees that they added. Only read committed gives
-- each statement of the trigger a new view of the database.
CREATE FUNCTION require_read_committed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'companies, accounts and departments can only be removed at the isolation level read committed'
      USING ERRCODE = 'feature_not_supported';
  END IF;
END $$;

CREATE FUNCTION employee_reference_removed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_read_committed();
  CASE TG_TABLE_NAME
    WHEN 'companies' THEN DELETE FROM employees WHERE company_id = old.id;
    WHEN 'accounts' THEN UPDATE employees SET account_id = NULL WHERE account_id = old.id;
    WHEN 'departments' THEN UPDATE employees SET department_id = NULL WHERE department_id = old.id;
  END CASE;
  RETURN NULL;
END $$;

-- An id that employees refer to cannot change, nor can its table be emptied.
CREATE FUNCTION employee_reference_kept() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lost boolean;
BEGIN
  PERFORM require_read_committed();
  CASE TG_TABLE_NAME
    WHEN 'companies' THEN
      lost := EXISTS (SELECT FROM employees e WHERE NOT EXISTS (SELECT FROM companies p WHERE p.id = e.company_id));
    WHEN 'accounts' THEN
      lost := EXISTS (SELECT FROM employees e WHERE e.account_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM accounts p WHERE p.id = e.account_id));
    WHEN 'departments' THEN
      lost := EXISTS (SELECT FROM employees e WHERE e.department_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM departments p WHERE p.id = e.department_id));
  END CASE;
  IF lost THEN
    RAISE EXCEPTION 'rows of table "employees" refer to table "%"', TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['companies', 'accounts', 'departments'] LOOP
    EXECUTE format('CREATE TRIGGER %1$s_removed_employees AFTER DELETE ON %1$s
      FOR EACH ROW EXECUTE FUNCTION employee_reference_removed()', parent);
    EXECUTE format('CREATE TRIGGER %1$s_moved_employees AFTER UPDATE OF id ON %1$s
      FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION employee_reference_kept()', parent);
    EXECUTE format('CREATE TRIGGER %1$s_emptied_employees AFTER TRUNCATE ON %1$s
      FOR EACH STATEMENT EXECUTE FUNCTION employee_reference_kept()', parent);
  END LOOP;
END $$;
