/** Sizes of pages, console spec §9. */

/** For lists with a pagination control. */
export const DEFAULT_PAGE_SIZE = 20;
/** For chat contacts and members of a group. */
export const CONTACTS_PAGE_SIZE = 200;
