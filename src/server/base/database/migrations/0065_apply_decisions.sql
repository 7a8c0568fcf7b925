-- Applications of companies wait for a decision of the platform's company.

-- The company that runs the platform. Its people decide about the others.
ALTER TABLE companies ADD COLUMN platform boolean NOT NULL DEFAULT false;

CREATE UNIQUE INDEX companies_platform ON companies (platform) WHERE platform;

-- The first company of an installation came by the seed, for the one who runs the platform.
UPDATE companies SET platform = true WHERE id = (SELECT min(id) FROM companies);

ALTER TABLE supplier_applies
  -- why it was refused
  ADD COLUMN reason text NOT NULL DEFAULT '',
  -- no reference: the decision outlives the account
  ADD COLUMN decided_by bigint,
  ADD COLUMN decided_at timestamptz;

CREATE INDEX supplier_applies_company ON supplier_applies (company_id, id);

SELECT enable_company_rls('supplier_applies');

REVOKE INSERT, UPDATE, DELETE ON supplier_applies FROM console_tenant;

-- The permission counts in the platform's company alone; the call checks that.
UPDATE roles SET permissions = permissions || '{platform:apply:edit}'
  WHERE code = 'ops' AND NOT permissions @> '{platform:apply:edit}';

-- No roles: new companies do not get this entry (database/companies.ts).
SELECT add_menu(NULL, 'monitor-applies', '入驻审批', 'IconSafe', '/monitor/applies', 8, '{}',
  '{"titles": {"zh": "入驻审批", "en": "Applications"}}');

UPDATE menus SET element_properties = element_properties - 'roles' WHERE code = 'monitor-applies';

INSERT INTO role_menus (role_id, menu_id)
  SELECT r.id, m.id FROM menus m, roles r JOIN companies c ON c.id = r.company_id
  WHERE m.code = 'monitor-applies' AND c.platform AND r.code IN ('admin', 'ops')
  ON CONFLICT DO NOTHING;
