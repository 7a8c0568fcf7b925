-- The AI assistant is for everybody with a role.
SELECT add_menu(NULL, 'ai', 'AI 助手', 'IconRobot', '/ai', 9, '{admin,staff,ops}',
  '{"titles": {"zh": "AI 助手", "en": "AI assistant"}}');
