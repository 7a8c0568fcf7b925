-- The pages of the fleet (docs/session.md#fleet), above the page of the own core.
SELECT add_menu('monitor', 'monitor-fleet', '运行总览', 'IconDashboard', '/monitor/fleet', -2, '{admin,ops}',
  '{"titles": {"zh": "运行总览", "en": "Fleet"}}');

SELECT add_menu('monitor', 'monitor-cores', '在线浏览器', 'IconList', '/monitor/cores', -1, '{admin,ops}',
  '{"titles": {"zh": "在线浏览器", "en": "Browsers online"}}');

-- Of the platform's company alone: the server's own figures.
SELECT add_menu('monitor', 'monitor-servers', '服务器', 'IconStorage', '/monitor/servers', 0, '{}',
  '{"platformRoles": ["admin", "ops"], "titles": {"zh": "服务器", "en": "Servers"}}');
