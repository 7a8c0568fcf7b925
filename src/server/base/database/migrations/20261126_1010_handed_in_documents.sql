-- What an employee hands in of each kind of document that the company asks for: its files, who decided about it, and until when it is
-- valid (docs/server.md#inaugural-documents). Without a row the document is missing.
ALTER TABLE document_kinds ADD COLUMN dated boolean NOT NULL DEFAULT false;

ALTER TABLE inaugural_documents
  -- null once the company no longer asks for it
  ADD COLUMN kind_id bigint REFERENCES document_kinds (id) ON DELETE SET NULL,
  -- why it was refused
  ADD COLUMN reason text NOT NULL DEFAULT '',
  ADD COLUMN expires_on date,
  ADD COLUMN handed_at timestamptz,
  ADD COLUMN handed_by bigint REFERENCES accounts (id) ON DELETE SET NULL,
  ADD COLUMN decided_by bigint REFERENCES accounts (id) ON DELETE SET NULL,
  DROP CONSTRAINT inaugural_documents_status_check;

-- What was only asked for is no row any more.
DELETE FROM inaugural_documents WHERE status = 'pending' AND file_name IS NULL;

UPDATE inaugural_documents SET
  handed_at = coalesce(signed_at, created_at),
  expires_on = CASE status WHEN 'expired' THEN (now() AT TIME ZONE 'Asia/Shanghai')::date - 1 END,
  status = CASE status WHEN 'pending' THEN 'handed' ELSE 'accepted' END;

UPDATE inaugural_documents d SET kind_id = k.id FROM document_kinds k
  WHERE k.company_id = d.company_id AND k.title = d.title AND NOT EXISTS (
    SELECT FROM inaugural_documents n WHERE n.employee_id = d.employee_id AND n.title = d.title AND n.id > d.id);

ALTER TABLE inaugural_documents
  ALTER COLUMN status SET DEFAULT 'handed',
  ADD CONSTRAINT inaugural_documents_status_check CHECK (status IN ('handed', 'accepted', 'refused'));

CREATE UNIQUE INDEX inaugural_documents_one ON inaugural_documents (employee_id, kind_id);

CREATE INDEX inaugural_documents_kind ON inaugural_documents (kind_id);

CREATE INDEX inaugural_documents_handed_by ON inaugural_documents (handed_by);

CREATE INDEX inaugural_documents_decided_by ON inaugural_documents (decided_by);

-- A file of a document is read by its employee and by those who decide, and goes with the document.
ALTER TABLE files ADD COLUMN document_id bigint REFERENCES inaugural_documents (id) ON DELETE CASCADE;

CREATE INDEX files_document ON files (document_id);

UPDATE files f SET document_id = d.id FROM inaugural_documents d
  WHERE d.company_id = f.company_id AND d.file_name = f.name;

ALTER TABLE inaugural_documents DROP COLUMN file_name;

SELECT add_menu('supplier', 'handed-documents', '材料收取', 'IconFile', '/supplier/handedDocuments', 6, '{admin}',
  '{"titles": {"zh": "材料收取", "en": "Handed-in documents"}}');
