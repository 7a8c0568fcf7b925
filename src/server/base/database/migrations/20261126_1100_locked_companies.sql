-- The platform's administrator may lock a company (docs/server.md#locked-companies): its people are out of it until it is unlocked.
ALTER TABLE companies
  ADD COLUMN locked_at timestamptz,
  -- what its people read
  ADD COLUMN lock_reason text NOT NULL DEFAULT '',
  -- no reference: the lock outlives the account
  ADD COLUMN locked_by bigint,
  ADD CONSTRAINT companies_platform_open CHECK (NOT platform OR locked_at IS NULL);

SELECT add_menu(NULL, 'monitor-companies', '企业管理', 'IconHome', '/monitor/companies', 7, '{}',
  '{"titles": {"zh": "企业管理", "en": "Companies"}, "platformRoles": ["admin"]}');
