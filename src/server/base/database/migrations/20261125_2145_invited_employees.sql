-- The employee for whom an import made the invitation. The invitation outlives the employee, so that its link can say what happened.
ALTER TABLE invitations
  ADD COLUMN for_employee boolean NOT NULL DEFAULT false,
  ADD COLUMN employee_id bigint REFERENCES employees (id) ON DELETE SET NULL;

UPDATE invitations i SET for_employee = true, employee_id = m.employee_id
  FROM import_invitations m WHERE m.invitation_id = i.id;

CREATE INDEX invitations_employee ON invitations (employee_id);
