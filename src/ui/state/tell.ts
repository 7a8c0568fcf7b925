/** Short messages at the top of the page. Equal texts are shown once, because a command and a notice may carry the same text. */
import { Message } from "@arco-design/web-react";
import type { Notice } from "../../shared/protocol/state.ts";
import { errorText } from "../i18n/index.ts";

/** ms that a message stays. */
const DURATION = 5000;

export function tell(style: Notice["style"], text: string, duration = DURATION): void {
  // React renders a string child as text, never as markup
  Message[style]({ id: `tell:${text}`, content: text, duration, closable: true });
}

export const tellError = (error: unknown): void => tell("error", errorText(error));
