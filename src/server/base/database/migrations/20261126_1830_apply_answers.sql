-- What somebody who applied filled in of the fields that the company requires (docs/server.md#invitations), by their names on the wire, until
-- the approval makes it the employee's.
ALTER TABLE membership_applies ADD COLUMN answers jsonb NOT NULL DEFAULT '{}';
