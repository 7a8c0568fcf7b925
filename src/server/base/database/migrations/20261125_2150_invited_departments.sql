-- The department of an invitation is kept by its id, so that a new name or a merge does not lose it. A text stays only where it names
-- no department of the company, or several.
ALTER TABLE invitations ADD COLUMN department_id bigint REFERENCES departments (id) ON DELETE SET NULL;

UPDATE invitations i SET department_id = d.id, department = NULL FROM departments d
  WHERE d.company_id = i.company_id AND d.name = i.department AND NOT EXISTS (
    SELECT FROM departments o WHERE o.company_id = d.company_id AND o.name = d.name AND o.id <> d.id);

CREATE INDEX invitations_department ON invitations (department_id);
