-- What an applicant writes to those who rule the group.
ALTER TABLE im_group_requests ADD COLUMN message text NOT NULL DEFAULT '';
