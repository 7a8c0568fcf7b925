-- What a company says of itself (docs/server.md#company-profile). Each company has a row from its beginning.
CREATE TABLE company_profiles (
  company_id bigint PRIMARY KEY REFERENCES companies (id) ON DELETE CASCADE,
  short_name text NOT NULL DEFAULT '',
  credit_code text NOT NULL DEFAULT '',
  legal_person text NOT NULL DEFAULT '',
  contact text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  introduction text NOT NULL DEFAULT '',
  -- name of an uploaded picture; empty while there is none
  logo text NOT NULL DEFAULT '',
  version integer NOT NULL DEFAULT 1
);

INSERT INTO company_profiles (company_id, credit_code, contact, phone)
  SELECT c.id, coalesce(a.credit_code, ''), coalesce(a.contact, ''), coalesce(a.mobile, '')
  FROM companies c LEFT JOIN supplier_applies a ON a.company_id = c.id
  ON CONFLICT DO NOTHING;

CREATE FUNCTION begin_company_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO company_profiles (company_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;

CREATE TRIGGER companies_profile AFTER INSERT ON companies FOR EACH ROW EXECUTE FUNCTION begin_company_profile();

CREATE TRIGGER company_profiles_version BEFORE UPDATE ON company_profiles FOR EACH ROW EXECUTE FUNCTION raise_version();

SELECT enable_company_rls('company_profiles');

SELECT add_menu('system', 'company-profile', '企业资料', 'IconHome', '/system/company', 8, '{admin}',
  '{"titles": {"zh": "企业资料", "en": "Company profile"}}');
