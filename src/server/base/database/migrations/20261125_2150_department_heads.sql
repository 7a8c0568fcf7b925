-- The head of a department: an employee of the company. Who is deleted or leaves is head no more.
ALTER TABLE departments ADD COLUMN head_id bigint REFERENCES employees (id) ON DELETE SET NULL;

CREATE INDEX departments_head ON departments (head_id) WHERE head_id IS NOT NULL;

CREATE FUNCTION employee_head_left() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE departments SET head_id = NULL, version = version + 1 WHERE head_id = new.id;
  RETURN NULL;
END $$;

-- Per row: few updates are departures, and the condition costs next to nothing.
CREATE TRIGGER employees_left_heads AFTER UPDATE OF dimission_at ON employees
  FOR EACH ROW WHEN (old.dimission_at IS NULL AND new.dimission_at IS NOT NULL)
  EXECUTE FUNCTION employee_head_left();
