/** A question that a person must answer before something happens. */
import { Modal } from "@arco-design/web-react";
import type { ComponentProps, ReactNode } from "react";
import { giveFocusBack } from "./focus-back.ts";

type ModalProps = ComponentProps<typeof Modal>;

/** Opens a question. It belongs to the page of the current address and closes with it (`closeDialogs`). */
export function ask(question: {
  readonly title: string;
  readonly content: ReactNode;
  readonly okText: string;
  readonly cancelText: string;
  /** The question stays, with a spinner, until a returned promise settles. */
  readonly onOk: Exclude<ModalProps["onOk"], undefined>;
}): void {
  // Arco copies the attribute to the dialog's outermost element.
  const attributes = { "data-asked-on": location.pathname };
  const opener = document.activeElement;
  // The library leaves the focus nowhere. What an answer has deleted or disabled leaves it to the page.
  const afterClose = (): void =>
    giveFocusBack(opener, () => document.querySelector<HTMLElement>("#main"));
  Modal.confirm({ ...question, ...attributes, afterClose });
}
