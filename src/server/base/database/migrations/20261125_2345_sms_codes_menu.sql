-- The page of the codes that a demo would have sent. Where a service sends them the server takes the entry away at its start
-- (modules/sms/outbox-module.ts).
SELECT add_menu(NULL, 'monitor-sms-codes', '短信验证码', 'IconMessage', '/monitor/smsCodes', 9, '{}',
  '{"titles": {"zh": "短信验证码", "en": "SMS codes"}, "platformRoles": ["admin"]}');
