-- Records that people edit in a form carry a version, by which a change of an older state is refused. A trigger raises it, because
-- employees are also changed by imports, by departments and by bindings.
ALTER TABLE employees ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE configs ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE dict_types ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE dict_data ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER employees_version BEFORE UPDATE ON employees FOR EACH ROW EXECUTE FUNCTION raise_version();
CREATE TRIGGER configs_version BEFORE UPDATE ON configs FOR EACH ROW EXECUTE FUNCTION raise_version();
CREATE TRIGGER dict_types_version BEFORE UPDATE ON dict_types FOR EACH ROW EXECUTE FUNCTION raise_version();
CREATE TRIGGER dict_data_version BEFORE UPDATE ON dict_data FOR EACH ROW EXECUTE FUNCTION raise_version();
