/** Short messages at the top of the page. Equal texts are shown once, because a command and a notice may carry the same text. */
import { AppError } from "../../shared/errors.ts";
import type { Notice } from "../../shared/protocol/state.ts";
import { errorText } from "../i18n/index.ts";
import { instance } from "../i18n/language.ts";

/** ms that a message stays. */
const DURATION = 5000;

/** One import gives one promise, so messages keep their order. */
const withMessages = (run: (messages: typeof import("./messages.ts")) => void): void =>
  void import("./messages.ts").then(run).catch(() => undefined);

/** @param topic a message of the same topic is replaced */
export const showMessage = (
  style: Notice["style"],
  text: string,
  duration = DURATION,
  topic?: string,
): void => withMessages(({ showMessage }) => showMessage(style, text, duration, topic));

/** A message with a button, by which the person undoes what it says. */
export const showMessageWithButton = (
  style: Notice["style"],
  text: string,
  act: { readonly label: string; readonly run: () => void },
): void => withMessages(({ showMessage }) => showMessage(style, text, DURATION, undefined, act));

/** Takes away what is shown now. */
export const clearMessages = (): void => withMessages((messages) => messages.clearMessages());

/** The error, with a button that tries again if that may help. Its click is a gesture, as a screen's picker needs one. */
export function showErrorWithRetry(error: unknown, run: () => void): void {
  if (!AppError.from(error).retryable) return showError(error);
  showMessageWithButton("error", errorText(error), { label: instance.t("common.retry"), run });
}

export const showError = (error: unknown): void => showMessage("error", errorText(error));
