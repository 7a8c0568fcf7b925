-- Departments that are kept in a screen: their order among neighbours, and the version by which a change of an older state is
-- refused.
ALTER TABLE departments
  ADD COLUMN sort integer NOT NULL DEFAULT 0,
  ADD COLUMN version integer NOT NULL DEFAULT 1;

SELECT add_menu('system', 'system-dept', '部门管理', 'IconUserGroup', '/system/dept', 2, '{admin}',
  '{"titles": {"zh": "部门管理", "en": "Departments"}}');
