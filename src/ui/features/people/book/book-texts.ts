/** Texts of the way from the list of conversations to the contact book. */
import { texts } from "../../../i18n/texts.ts";

export const BOOK_TEXTS = texts({
  book: ["通讯录", "Contacts"],
  waiting: ["{{count}} 条好友申请待处理", "{{count}} friend {count|request|requests} waiting"],
});
