/** Sizes of pages (docs/session.md#frame). */

/** For lists with a pagination control. */
export const DEFAULT_PAGE_SIZE = 20;
/** For chat contacts and members of a group. */
export const CONTACTS_PAGE_SIZE = 200;
