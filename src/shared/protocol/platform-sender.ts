/** The platform as one who writes to people: the sender of messages about alerts (docs/server.md#sending-alerts). */

/** Its chat user name. No person has it, because theirs begin with a letter. */
export const PLATFORM_SENDER = "_platform";
/** What people read, Chinese and English. */
export const PLATFORM_SENDER_NAME = ["系统告警", "System alerts"] as const;
