-- Where a file of a company is used (docs/server.md#uses-of-files): one row for each record that needs it. Who changes such a record changes
-- the rows by the triggers below, whatever code does it.
CREATE TABLE file_uses (
  file_id bigint NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  company_id bigint NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  -- an inaugural document, a picture of a bulletin, the logo and the business licence of the company
  kind text NOT NULL CHECK (kind IN ('document', 'bulletin', 'logo', 'licence')),
  -- of the document, of the bulletin, or of the company itself
  record_id bigint NOT NULL,
  PRIMARY KEY (file_id, kind, record_id)
);

CREATE INDEX file_uses_record ON file_uses (company_id, kind, record_id);

SELECT enable_company_rls('file_uses');

-- How many rows of file_uses a file has. A deletion asks for 0 in the statement that deletes, so that it waits for a record that takes the file
-- into use at the same moment, and then refuses.
ALTER TABLE files ADD COLUMN uses integer NOT NULL DEFAULT 0;

CREATE FUNCTION count_file_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE files SET uses = uses + 1 WHERE id = NEW.file_id;
  ELSE
    -- nothing where the file itself goes
    UPDATE files SET uses = uses - 1 WHERE id = OLD.file_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER file_uses_count AFTER INSERT OR DELETE ON file_uses FOR EACH ROW EXECUTE FUNCTION count_file_uses();

-- Makes these files the ones that a record uses. Files that stay keep their rows; they are taken in the order of their ids, so that two records
-- with the same files wait for each other in one order.
CREATE FUNCTION set_file_uses(company bigint, use_kind text, record bigint, names text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM file_uses u WHERE u.company_id = company AND u.kind = use_kind AND u.record_id = record
    AND NOT EXISTS (SELECT FROM files f WHERE f.id = u.file_id AND f.name = ANY (names));
  INSERT INTO file_uses (file_id, company_id, kind, record_id)
    SELECT f.id, company, use_kind, record FROM files f
    WHERE f.company_id = company AND f.name = ANY (names)
    ORDER BY f.id
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION document_file_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.document_id IS NOT DISTINCT FROM OLD.document_id THEN
      RETURN NULL;
    END IF;
    DELETE FROM file_uses u WHERE u.file_id = OLD.id AND u.kind = 'document';
  END IF;
  IF NEW.document_id IS NOT NULL THEN
    INSERT INTO file_uses (file_id, company_id, kind, record_id)
      VALUES (NEW.id, NEW.company_id, 'document', NEW.document_id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER files_document_uses AFTER INSERT OR UPDATE OF document_id ON files
  FOR EACH ROW EXECUTE FUNCTION document_file_uses();

-- A picture of a bulletin is <img data-file="NAME">, and the server writes the attribute like this (modules/bulletins/sanitise.ts).
CREATE FUNCTION bulletin_file_names(content text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT m[1]), '{}')
  FROM regexp_matches(content, ' data-file="([\w-]{22}\.[a-z]{3,4})"', 'g') AS m
$$;

CREATE FUNCTION bulletin_file_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM file_uses u WHERE u.company_id = OLD.company_id AND u.kind = 'bulletin' AND u.record_id = OLD.id;
  ELSE
    PERFORM set_file_uses(NEW.company_id, 'bulletin', NEW.id, bulletin_file_names(NEW.content));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER bulletins_file_uses AFTER INSERT OR UPDATE OF content OR DELETE ON bulletins
  FOR EACH ROW EXECUTE FUNCTION bulletin_file_uses();

CREATE FUNCTION profile_file_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_file_uses(NEW.company_id, 'logo', NEW.company_id, ARRAY[NEW.logo]);
  PERFORM set_file_uses(NEW.company_id, 'licence', NEW.company_id, ARRAY[NEW.licence]);
  RETURN NULL;
END $$;

CREATE TRIGGER company_profiles_file_uses AFTER INSERT OR UPDATE OF logo, licence ON company_profiles
  FOR EACH ROW EXECUTE FUNCTION profile_file_uses();

-- What is there already.
INSERT INTO file_uses (file_id, company_id, kind, record_id)
  SELECT id, company_id, 'document', document_id FROM files WHERE document_id IS NOT NULL;

SELECT set_file_uses(company_id, 'bulletin', id, bulletin_file_names(content)) FROM bulletins
  WHERE content LIKE '% data-file=%';

SELECT set_file_uses(company_id, 'logo', company_id, ARRAY[logo]) FROM company_profiles WHERE logo <> '';

SELECT set_file_uses(company_id, 'licence', company_id, ARRAY[licence]) FROM company_profiles WHERE licence <> '';

-- The orders of the list, which are read from both ends. The one by size also gives number and sum of a company's files without the table.
CREATE INDEX files_time ON files (company_id, created_at, id);

CREATE INDEX files_size ON files (company_id, size, id);

CREATE INDEX files_unused ON files (company_id, created_at, id) INCLUDE (size) WHERE uses = 0;

CREATE INDEX files_uploader ON files (uploaded_by, company_id);

SELECT add_menu('system', 'system-file', '文件', 'IconFile', '/system/files', 10, '{admin}',
  '{"titles": {"zh": "文件", "en": "Files"}}');
