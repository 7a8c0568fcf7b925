-- Entries and permissions of the platform do nothing in another company, so that no role there has them.
DELETE FROM role_menus rm USING roles r, companies c, menus m
  WHERE r.id = rm.role_id AND c.id = r.company_id AND m.id = rm.menu_id
    AND NOT c.platform AND m.element_properties ? 'platformRoles';

UPDATE roles r SET
    permissions = ARRAY(
      SELECT p FROM unnest(r.permissions) WITH ORDINALITY AS held (p, place)
      WHERE p NOT LIKE 'platform:%' ORDER BY place),
    version = r.version + 1
  FROM companies c
  WHERE c.id = r.company_id AND NOT c.platform
    AND EXISTS (SELECT FROM unnest(r.permissions) p WHERE p LIKE 'platform:%');

-- As in 20261125_1700_role_permissions.sql, and one of the platform goes to the roles of its company alone.
CREATE OR REPLACE FUNCTION add_permission(permission text, role_codes text[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO role_permissions (role_code, permission)
    SELECT code, add_permission.permission FROM unnest(role_codes) code
    WHERE NOT EXISTS (SELECT FROM role_permissions p WHERE p.role_code = code AND p.permission = '*:*:*')
    ON CONFLICT DO NOTHING;
  UPDATE roles SET permissions = permissions || ARRAY[add_permission.permission]
    WHERE code = ANY (role_codes) AND NOT permissions && ARRAY[add_permission.permission, '*:*:*']
      AND (add_permission.permission NOT LIKE 'platform:%'
        OR company_id IN (SELECT c.id FROM companies c WHERE c.platform));
END $$;
