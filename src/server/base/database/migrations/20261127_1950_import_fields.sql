-- The fields of employees as the company had set them up when the import began. Null: begun before this column, the company's of now count.
ALTER TABLE import_jobs ADD COLUMN field_settings jsonb;
