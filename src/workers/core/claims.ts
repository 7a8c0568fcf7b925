/** Names under which tabs carry media: a conference claims its tab under one that no call has. */
export const CONFR_CLAIM = "confr:";
