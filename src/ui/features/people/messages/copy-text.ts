/** Puts text into the clipboard, and says whether that worked. */
import { textOf } from "../../../i18n/texts.ts";
import { showMessage } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showMessage("success", textOf(CHAT_TEXTS, "copied"));
  } catch {
    // the browser gives no access, for example on a page without https
    showMessage("error", textOf(CHAT_TEXTS, "copyFailed"));
  }
}
