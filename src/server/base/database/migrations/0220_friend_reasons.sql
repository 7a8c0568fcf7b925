-- What somebody wrote with a friend request (docs/chat.md#contacts).
ALTER TABLE im_friends ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE im_friend_requests ADD COLUMN reason text NOT NULL DEFAULT '';
