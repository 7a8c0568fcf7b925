/** Checks the names of stored pictures and of users without zod, which the frame does not load. */

const STORED = /^[\w-]{22}\.[a-z]{3,4}$/;
const CHAT_USER = /^[a-z0-9_-]{1,64}$/;

/** Whether it is the name of a stored file, and no address. */
export const isStoredName = (text: string): boolean => STORED.test(text);
/** Whether a chat user may have this name. */
export const isChatUserName = (text: string): boolean => CHAT_USER.test(text);
