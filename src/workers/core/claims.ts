/** Prefix of a conference's id in a tab's claim, so that it cannot be mistaken for a call's id. */
export const CONFERENCE_CLAIM = "conference:";
