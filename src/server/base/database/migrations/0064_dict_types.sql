-- A dictionary type is a thing of its own, with a page. It may have no entries yet, so it stays when its last entry goes.
ALTER TABLE dict_types
  ADD COLUMN remark text NOT NULL DEFAULT '',
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();

SELECT add_menu('system', 'system-dict', '字典管理', 'IconBook', '/system/dict', 1, '{admin}',
  '{"titles": {"zh": "字典管理", "en": "Dictionaries"}}');
