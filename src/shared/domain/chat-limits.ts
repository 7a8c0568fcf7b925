/** Limits of chat, and which texts show anything (docs/chat.md#conversations). */

/** Messages of one history request. */
export const CHAT_HISTORY_PAGE = 10;
/** Characters shown per message. */
export const CHAT_TEXT_MAX = 20_000;

/** Characters of a quoted message that travel with the answer. */
export const CHAT_QUOTE_MAX = 200;
/** The reactions that a person may choose. Those of other clients are shown too. */
export const CHAT_REACTIONS = ["👍", "❤️", "😂", "🎉", "😮", "🙏"] as const;
/** Different reactions of a message, and people named with each. */
export const CHAT_REACTIONS_SHOWN = 20;
export const CHAT_REACTION_NAMES = 50;
/** ms after sending within which a message can be taken back. */
export const CHAT_RECALL_MS = 120_000;
/** How often a message can be edited. */
export const CHAT_EDITS_MAX = 10;
/** Conversations to which a message is forwarded at once. */
export const CHAT_FORWARD_MAX = 20;
/** Messages that are made at once by forwarding one by one. The outbox must remember each of them, or a repeated command would make some twice. */
export const CHAT_FORWARD_EACH_MAX = 200;
/** Messages of a combined one, and how deep combined messages stand in each other, as the provider's SDK limits them. */
export const CHAT_COMBINED_MAX = 300;
export const CHAT_COMBINED_LEVEL_MAX = 10;
/** Characters of its title and of its summary. */
export const CHAT_COMBINED_TITLE_MAX = 100;
export const CHAT_COMBINED_SUMMARY_MAX = 500;
/** Messages that are deleted at once. */
export const CHAT_ERASE_MAX = 300;

/**
 * Whether a text shows anything. A message of spaces, control characters, zero-width and direction marks, fillers and blank
 * Braille cells would be an empty bubble.
 */
export const hasVisibleText = (text: string): boolean =>
  /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
