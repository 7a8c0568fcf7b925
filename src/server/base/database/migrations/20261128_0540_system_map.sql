-- The map of the running system (docs/session.md#system-map), of the platform's company alone. Who sees the fleet of all companies sees it.
SELECT add_menu('monitor', 'monitor-map', '运行拓扑', 'IconApps', '/monitor/map', -2, '{}',
  '{"platformRoles": ["admin", "ops"], "titles": {"zh": "运行拓扑", "en": "System map"}}');
