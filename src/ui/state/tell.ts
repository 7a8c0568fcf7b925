/** Short messages at the top of the page. Equal texts are one message: a command and a notice may tell the same. */
import { Message } from "@arco-design/web-react";
import type { Notice } from "../../shared/protocol/state.ts";
import { errorText } from "../i18n/index.ts";

/** ms that a message stays (console spec §8). */
const DURATION = 5000;

export function tell(style: Notice["style"], text: string, duration = DURATION): void {
  // a string child is text to React: never markup
  Message[style]({ id: `tell:${text}`, content: text, duration, closable: true });
}

export const tellError = (error: unknown): void => tell("error", errorText(error));
