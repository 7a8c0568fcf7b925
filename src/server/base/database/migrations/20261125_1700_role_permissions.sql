-- What the roles of a company hold comes by migration, as its menus do: a new page brings its own rights and changes no common file.

-- In addition to what every member with a role may do. A company that comes later takes it from here (database/companies.ts).
CREATE TABLE role_permissions (
  role_code text NOT NULL,
  permission text NOT NULL,
  PRIMARY KEY (role_code, permission)
);

INSERT INTO role_permissions (role_code, permission) VALUES
  ('admin', '*:*:*'),
  -- they count in the platform's company alone; the calls check that
  ('ops', 'platform:apply:edit'),
  ('ops', 'platform:task:edit');

-- Gives a permission to the roles with the given codes, in every company and in those that come later. One that holds all permissions gets none.
CREATE FUNCTION add_permission(permission text, role_codes text[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO role_permissions (role_code, permission)
    SELECT code, add_permission.permission FROM unnest(role_codes) code
    WHERE NOT EXISTS (SELECT FROM role_permissions p WHERE p.role_code = code AND p.permission = '*:*:*')
    ON CONFLICT DO NOTHING;
  UPDATE roles SET permissions = permissions || ARRAY[add_permission.permission]
    WHERE code = ANY (role_codes) AND NOT permissions && ARRAY[add_permission.permission, '*:*:*'];
END $$;

REVOKE EXECUTE ON FUNCTION add_permission FROM PUBLIC;

-- Entries of the platform's company alone name its roles.
UPDATE menus SET element_properties = element_properties || '{"platformRoles": ["admin", "ops"]}'
  WHERE code IN ('monitor-applies', 'tasks', 'monitor-job', 'monitor-job-log');

-- As in 0050_menus.sql, and properties may name platformRoles: they get the entry in the platform's company alone.
CREATE OR REPLACE FUNCTION add_menu(
  parent text, code text, name text, icon text, uri text, sort integer, role_codes text[],
  properties jsonb DEFAULT '{}'
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  above bigint;
  added bigint;
BEGIN
  IF parent IS NOT NULL THEN
    SELECT m.id INTO above FROM menus m WHERE m.code = parent;
    IF above IS NULL THEN
      RAISE EXCEPTION 'menu %: its parent % does not exist', add_menu.code, parent;
    END IF;
  END IF;
  -- A conflict would use up an id.
  IF EXISTS (SELECT FROM menus m WHERE m.code = add_menu.code) THEN
    RETURN;
  END IF;
  INSERT INTO menus (parent_id, code, name, icon, uri, sort, element_properties)
    VALUES (
      above, add_menu.code, add_menu.name, add_menu.icon, add_menu.uri, add_menu.sort,
      jsonb_build_object('roles', to_jsonb(role_codes)) || properties)
    RETURNING id INTO added;
  INSERT INTO role_menus (role_id, menu_id)
    SELECT r.id, added FROM roles r JOIN companies c ON c.id = r.company_id
    WHERE r.code = ANY (role_codes)
      OR c.platform AND coalesce(properties->'platformRoles' @> to_jsonb(r.code), false);
END $$;
