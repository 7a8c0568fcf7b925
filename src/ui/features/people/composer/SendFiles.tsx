/** Shows the files that are about to be sent, before they are. */
import { Button } from "@arco-design/web-react";
import { IconClose, IconFile } from "@arco-design/web-react/icon";
import { useCallback } from "react";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import { fileSize } from "../../../../shared/domain/chat-files.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import type { PickedFile } from "./pick-files.ts";
import type { PickedFiles } from "./usePickedFiles.ts";

export function SendFiles(props: { readonly name: string; readonly picked: PickedFiles }) {
  const { files, busy, remove, clear, send } = props.picked;
  const text = useTexts(CHAT_TEXTS);
  return (
    <Dialog
      className="send-files"
      title={text("sendTo", { name: props.name })}
      visible={files.length > 0}
      okText={text("sendCount", { count: files.length })}
      cancelText={text("cancel")}
      confirmLoading={busy}
      maskClosable={false}
      // Enter sends; the focus would go to the first button otherwise
      afterOpen={() =>
        document.querySelector<HTMLElement>(".send-files .arco-btn-primary")?.focus()
      }
      onOk={() => void send()}
      onCancel={() => {
        if (!busy) clear();
      }}
      unmountOnExit
      afterClose={() => document.querySelector<HTMLElement>(".composer textarea")?.focus()}
    >
      <ul className="send-files-list">
        {files.map((picked) => (
          <li key={picked.key}>
            <Preview picked={picked} />
            <span className="send-files-text">
              <span className="ellipsis">{picked.name}</span>
              <span className="message-card-size">{fileSize(picked.file.size)}</span>
            </span>
            <Button
              type="text"
              size="small"
              disabled={busy}
              aria-label={text("remove", { name: picked.name })}
              icon={<IconClose />}
              onClick={() => remove(picked.key)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Preview({ picked }: { readonly picked: PickedFile }) {
  const shown = picked.thumb ?? (picked.kind === "img" ? picked.file : null);
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null || shown === null) return;
      const url = URL.createObjectURL(shown);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [shown],
  );
  return shown === null ? (
    <IconFile className="send-files-icon" aria-hidden="true" />
  ) : (
    <img ref={show} className="send-files-picture" alt="" />
  );
}
