-- Whether pages carry the person's name and number as a watermark (docs/session.md#watermark). A company decides it by its own setting.
INSERT INTO configs (config_key, config_name, config_value, config_type, remark) VALUES
  ('sys.watermark', '页面水印', 'off', 'Y', 'on 在页面上显示姓名、手机尾号和日期，off 不显示');
