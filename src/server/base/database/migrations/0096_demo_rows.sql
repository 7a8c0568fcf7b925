-- Which rows came with the demo data, so that an administrator can remove them and nothing else.
CREATE TABLE demo_rows (
  company_id bigint NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- Id of the row; of quality records the id of their batch.
  id text NOT NULL,
  PRIMARY KEY (company_id, kind, id)
);

SELECT enable_company_rls('demo_rows');
