-- Of whom a company asks an inaugural document (docs/server.md#inaugural-documents): of the people of some departments and of those below,
-- and of those who were hired in a time. Without any department, and without the days, everybody is asked.
ALTER TABLE document_kinds
  ADD COLUMN department_ids bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN hired_from date,
  ADD COLUMN hired_to date;

CREATE FUNCTION forget_department_of_kinds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_kinds SET department_ids = array_remove(department_ids, OLD.id)
    WHERE company_id = OLD.company_id AND OLD.id = ANY (department_ids);
  RETURN OLD;
END $$;

CREATE TRIGGER departments_document_kinds AFTER DELETE ON departments
  FOR EACH ROW EXECUTE FUNCTION forget_department_of_kinds();
