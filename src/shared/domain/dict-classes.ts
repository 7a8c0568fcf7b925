/** How the entries of dictionaries may look: kinds of tags, and CSS classes, which are names alone (docs/session.md#dictionaries). */

export const LIST_CLASSES = ["default", "primary", "success", "info", "warning", "danger"] as const;
export type ListClass = (typeof LIST_CLASSES)[number];

/** Names of classes with one space between them, or nothing. An editor of a dictionary writes no styles and no markup by it. */
export const CSS_CLASSES = /^([A-Za-z][\w-]*( [A-Za-z][\w-]*)*)?$/;
