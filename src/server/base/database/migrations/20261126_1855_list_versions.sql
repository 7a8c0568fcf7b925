-- Tells a server whether the order of a long list that it remembers still holds: each change of a company's files, inaugural documents or
-- kinds of documents, or of its departments, raises the number. One row for all of them, so that no two changes wait for each other crosswise.
CREATE TABLE list_versions (
  company_id bigint PRIMARY KEY REFERENCES companies (id) ON DELETE CASCADE,
  version bigint NOT NULL
);

SELECT enable_company_rls('list_versions');

REVOKE INSERT, UPDATE, DELETE ON list_versions FROM console_tenant;

CREATE FUNCTION raise_list_version() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO list_versions AS v (company_id, version)
    -- the company itself may be going
    SELECT DISTINCT c.company_id, 1 FROM changed c WHERE EXISTS (SELECT FROM companies WHERE id = c.company_id)
    ORDER BY c.company_id
  ON CONFLICT (company_id) DO UPDATE SET version = v.version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER files_list_added AFTER INSERT ON files
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER files_list_changed AFTER UPDATE ON files
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER files_list_removed AFTER DELETE ON files
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER documents_list_added AFTER INSERT ON inaugural_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER documents_list_changed AFTER UPDATE ON inaugural_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER documents_list_removed AFTER DELETE ON inaugural_documents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER document_kinds_list_added AFTER INSERT ON document_kinds
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER document_kinds_list_changed AFTER UPDATE ON document_kinds
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER document_kinds_list_removed AFTER DELETE ON document_kinds
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

-- a document may be asked of a department and those below it
CREATE TRIGGER departments_list_added AFTER INSERT ON departments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER departments_list_changed AFTER UPDATE ON departments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();

CREATE TRIGGER departments_list_removed AFTER DELETE ON departments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_list_version();
