/** Sizes of pages, console spec §9. */

/** Of a list with a pagination control. */
export const DEFAULT_PAGE_SIZE = 20;
/** Of the chat's contacts and of a group's members. */
export const CONTACTS_PAGE_SIZE = 200;
