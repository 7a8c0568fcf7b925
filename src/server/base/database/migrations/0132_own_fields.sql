-- The company's own fields of employees get a screen.
ALTER TABLE company_fields ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE TRIGGER company_fields_version BEFORE UPDATE ON company_fields FOR EACH ROW EXECUTE FUNCTION raise_version();

SELECT add_menu('system', 'employee-fields', '员工字段', 'IconEdit', '/employeeSetfield', 7, '{admin}',
  '{"titles": {"zh": "员工字段", "en": "Employee fields"}}');
