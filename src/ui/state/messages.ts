/** Arco's messages. Its own file, because the login loads none of Arco's code before there is a message to show. */
import "@arco-design/web-react/es/_util/react-19-adapter";
import { Message } from "@arco-design/web-react";
import { createElement } from "react";
import type { Notice } from "../../shared/protocol/state.ts";

export function showMessage(
  style: Notice["style"],
  text: string,
  duration: number,
  topic = text,
  act?: { readonly label: string; readonly run: () => void },
): void {
  const onClick = (): void => {
    close();
    act?.run();
  };
  // React renders a string child as text, never as markup
  const content =
    act === undefined
      ? text
      : createElement(
          "span",
          null,
          text,
          createElement("button", { type: "button", className: "message-act", onClick }, act.label),
        );
  const close = Message[style]({ id: `tell:${topic}`, content, duration, closable: true });
}

export const clearMessages = (): void => Message.clear();
