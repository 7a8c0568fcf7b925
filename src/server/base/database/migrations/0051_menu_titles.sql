-- Menu entries carry their titles in both languages, so that a new page needs no text in the console. Later entries name them as
-- properties of add_menu: '{"titles": {"zh": "员工列表", "en": "Employee list"}}'. A company that renames an entry gets its own name
-- in both languages, because the name then differs from the Chinese title.
UPDATE menus m
  SET element_properties = m.element_properties
    || jsonb_build_object('titles', jsonb_build_object('zh', t.zh, 'en', t.en))
  FROM (VALUES
    ('im-people', '人员与消息', 'People and messages'),
    ('im-conference', '会议', 'Conferences'),
    ('supplier', '员工管理', 'Employees'),
    ('supplier-employees', '员工列表', 'Employee list'),
    ('import-invite', '批量导入并邀请', 'Import and invite'),
    ('import-plain', '批量导入', 'Batch import'),
    ('monitor', '系统监控', 'Monitoring'),
    ('monitor-runtime', '运行监控', 'Runtime')
  ) AS t (code, zh, en)
  WHERE m.code = t.code;
