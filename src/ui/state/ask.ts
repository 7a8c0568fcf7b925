/** A question that a person must answer before something happens. */
import { Modal } from "@arco-design/web-react";
import type { ComponentProps, ReactNode } from "react";
import { giveFocusBackFrom, watchActs } from "./focus-back.ts";

type ModalProps = ComponentProps<typeof Modal>;

/** Takes the focus where the answer removed what asked, as a row. A dialog that is still open takes it by itself. */
const restOfPage = (): HTMLElement | null =>
  document.querySelector(".arco-modal-wrapper:not([data-asked], [style*='none'])") === null
    ? document.querySelector<HTMLElement>("#main")
    : null;

/** Opens a question. It belongs to the page of the current address and closes with it (`closeDialogs`). */
export function ask(question: {
  readonly title: string;
  readonly content: ReactNode;
  readonly okText: string;
  readonly cancelText: string;
  /** The question stays, with a spinner, until a returned promise settles. */
  readonly onOk: Exclude<ModalProps["onOk"], undefined>;
}): void {
  const id = crypto.randomUUID();
  // Arco copies the attributes to the dialog's outermost element.
  const attributes = { "data-asked-on": location.pathname, "data-asked": id };
  const opener = document.activeElement;
  const acts = watchActs(opener);
  const afterClose = (): void => {
    acts.end();
    giveFocusBackFrom(document.querySelector(`[data-asked="${id}"]`), opener, restOfPage, acts);
  };
  Modal.confirm({ ...question, ...attributes, afterClose });
}
