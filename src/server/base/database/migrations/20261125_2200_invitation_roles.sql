-- The roles that a person gets by joining. Without any it is that of staff.
CREATE TABLE invitation_roles (
  invitation_id text NOT NULL REFERENCES invitations (id) ON DELETE CASCADE,
  role_id bigint NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  company_id bigint NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  PRIMARY KEY (invitation_id, role_id)
);

CREATE INDEX invitation_roles_role ON invitation_roles (role_id);

CREATE INDEX invitation_roles_company ON invitation_roles (company_id);

SELECT enable_company_rls('invitation_roles');
