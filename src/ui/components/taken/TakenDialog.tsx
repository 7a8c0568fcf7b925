/** In place of an open form whose right is gone: what was typed. With the right, the form is there again. */
import { Dialog } from "../dialog/Dialog.tsx";
import { useFocusBack } from "../useFocusBack.ts";
import { TakenNote } from "./TakenNote.tsx";

export function TakenDialog(props: { readonly title: string; readonly onClose: () => void }) {
  // what had the focus was in the form, which is gone
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  return (
    <Dialog
      visible
      title={props.title}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <TakenNote title={props.title} />
    </Dialog>
  );
}
