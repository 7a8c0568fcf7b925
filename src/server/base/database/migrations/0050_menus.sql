-- Menu entries come by migration, so that an existing installation gets new ones when it is updated.

-- Adds a menu entry and grants it to the roles with the given codes, in every company. An entry that exists already stays as it
-- is, and so do its rights, which a company may have changed. Companies that come later get it by the roles that it names
-- (database/companies.ts).
--
-- parent: the code of the entry above it, or null. properties: element_properties beyond the roles, such as {"noCache": true}.
CREATE FUNCTION add_menu(
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
    SELECT r.id, added FROM roles r WHERE r.code = ANY (role_codes);
END $$;

REVOKE EXECUTE ON FUNCTION add_menu FROM PUBLIC;

-- The page 首页 is built into the console and has no entry here.
SELECT add_menu(NULL, 'im-people', '人员与消息', 'IconMessage', '/im/people', 0, '{admin,staff,ops}');

SELECT add_menu(NULL, 'im-conference', '会议', 'IconVideoCamera', '/im/conference', 1, '{admin,staff,ops}');

SELECT add_menu(NULL, 'supplier', '员工管理', 'IconUserGroup', '/supplier', 2, '{admin}');

SELECT add_menu('supplier', 'supplier-employees', '员工列表', 'IconUser', '/supplier/employees', 0, '{admin}');

-- These pages start from scratch each time.
SELECT add_menu('supplier', 'import-invite', '批量导入并邀请', 'IconImport', '/DataBatchImport/index', 1, '{admin}', '{"noCache": true}');

SELECT add_menu('supplier', 'import-plain', '批量导入', 'IconImport', '/DataBatchImport2/index', 2, '{admin}', '{"noCache": true}');

SELECT add_menu(NULL, 'monitor', '系统监控', 'IconDashboard', '/monitor', 3, '{admin,ops}');

SELECT add_menu('monitor', 'monitor-runtime', '运行监控', 'IconBarChart', '/monitor/runtime', 0, '{admin,ops}');
