-- Roles that a company makes itself: a remark, and the version by which a change of an older state is refused.
ALTER TABLE roles
  ADD COLUMN remark text NOT NULL DEFAULT '',
  ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE UNIQUE INDEX roles_name ON roles (company_id, name);

SELECT add_menu('system', 'system-role', '角色管理', 'IconSafe', '/system/role', 1, '{admin}',
  '{"titles": {"zh": "角色管理", "en": "Roles"}}');
