-- Which fields a company uses of its employees and of its own record, in which order, and which are required (docs/server.md#field-settings).
-- A company without a row uses all of them. The row of employees has no required own fields: those are in company_fields.
CREATE TABLE field_settings (
  company_id bigint NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  subject text NOT NULL CHECK (subject IN ('employee', 'company')),
  -- [{key, used, required}] in the company's order; [] for the order of a company that set up nothing
  fields jsonb NOT NULL DEFAULT '[]',
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, subject)
);

CREATE TRIGGER field_settings_version BEFORE UPDATE ON field_settings FOR EACH ROW EXECUTE FUNCTION raise_version();

SELECT enable_company_rls('field_settings');

SELECT add_menu('system', 'company-fields', '企业字段', 'IconEdit', '/setfield', 8, '{admin}',
  '{"titles": {"zh": "企业字段", "en": "Company fields"}}');
