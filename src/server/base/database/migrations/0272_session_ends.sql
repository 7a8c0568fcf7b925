-- Why a login ended (src/server/base/cluster/access.ts), so that its device can say so. null: it goes on, or ended before this column.
ALTER TABLE sessions ADD COLUMN end_reason text;
