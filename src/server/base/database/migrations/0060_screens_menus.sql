-- Screens of the company's administrator: those who have left, and settings.
SELECT add_menu('supplier', 'supplier-dimission', '离职员工', 'IconUser', '/supplier/dimission', 3, '{admin}',
  '{"titles": {"zh": "离职员工", "en": "Former employees"}}');

SELECT add_menu(NULL, 'system', '系统管理', 'IconSettings', '/system', 4, '{admin}',
  '{"titles": {"zh": "系统管理", "en": "System"}}');

SELECT add_menu('system', 'system-config', '参数配置', 'IconTool', '/system/config', 0, '{admin}',
  '{"titles": {"zh": "参数配置", "en": "Settings"}}');
