/** The files that members share with a group (docs/chat.md#shared-files): add, save, delete. */
import { Button, Progress } from "@arco-design/web-react";
import "@arco-design/web-react/es/Progress/style/css.js";
import { IconClose, IconDelete, IconDownload, IconFile } from "@arco-design/web-react/icon";
import { useRef, useState } from "react";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import type { CoreCommands } from "../../../../core-client/contracts.ts";
import { CHAT_FILE_MAX, fileSize } from "../../../../shared/domain/chat-files.ts";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useCore, useDownloads, useFrozenSlice, useSlice } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { useAsked } from "../../../state/useAsked.ts";
import { useRelativeTime } from "../../../state/time.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { GROUP_TEXTS, useConfirm } from "../common/group-texts.ts";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import "../../contacts/groups.css";
import { CloseButtons } from "../../../components/dialog/DialogButtons.tsx";

type File = Awaited<ReturnType<CoreCommands["group"]["files"]>>[number];

interface Sending {
  readonly key: string;
  readonly name: string;
}

export function GroupFiles(props: { readonly group: ChatGroup; readonly onClose: () => void }) {
  const { id: groupId, revision, role } = props.group;
  const text = useTexts(GROUP_TEXTS);
  const chatText = useTexts(CHAT_TEXTS);
  const core = useCore();
  const downloads = useDownloads();
  const { chatUserName } = useSlice("session");
  const { names, uploads } = useFrozenSlice("chat");
  const remark = useRemarks();
  const relative = useRelativeTime();
  const confirm = useConfirm();
  const chooser = useRef<HTMLInputElement>(null);
  const {
    found: files,
    failure,
    again,
  } = useAsked(`${groupId} ${revision}`, () => core.commands.group.files({ groupId }));
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [saving, setSaving] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  const share = async (file: globalThis.File): Promise<void> => {
    const { name, size } = file;
    if (size === 0) return showMessage("warning", chatText("empty", { name }));
    if (size > CHAT_FILE_MAX) {
      return showMessage("warning", chatText("tooLarge", { name, size: fileSize(CHAT_FILE_MAX) }));
    }
    const key = `group-file:${crypto.randomUUID()}`;
    setSending((now) => [...now, { key, name }]);
    try {
      await core.commands.group.shareFile({ groupId, file, name: name.slice(-255), key });
    } catch (error) {
      showError(error);
    }
    setSending((now) => now.filter((one) => one.key !== key));
  };
  const save = async ({ id: fileId, name }: File): Promise<void> => {
    setSaving(fileId);
    await downloads.save(name, { kind: "groupFile", groupId, fileId });
    setSaving(null);
  };

  return (
    <Dialog
      visible
      title={text("files")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          for (const file of event.target.files ?? []) void share(file);
          // so that the same file can be chosen again
          event.target.value = "";
        }}
      />
      <LoadNote missing={files === null} failure={failure} onRetry={again} />
      {files?.length === 0 && sending.length === 0 && (
        <p className="contacts-note">{text("filesNone")}</p>
      )}
      <ul className="group-files" aria-label={text("files")}>
        {sending.map(({ key, name }) => (
          <li key={key}>
            <IconFile className="group-file-icon" aria-hidden="true" />
            <div className="group-inbox-text">
              <p className="ellipsis">{name}</p>
              <Progress
                percent={Math.round((uploads[key] ?? 0) * 100)}
                size="small"
                aria-label={chatText("uploading", { name })}
              />
            </div>
            <Button
              type="text"
              className="header-icon"
              aria-label={chatText("cancelUpload", { name })}
              icon={<IconClose />}
              onClick={() => void core.commands.group.cancelFile({ key }).catch(showError)}
            />
          </li>
        ))}
        {(files ?? []).map((file) => (
          <li key={file.id}>
            <IconFile className="group-file-icon" aria-hidden="true" />
            <div className="group-inbox-text">
              <p className="ellipsis" title={file.name}>
                {file.name}
              </p>
              <span className="group-quiet">
                {[
                  fileSize(file.size),
                  file.owner === chatUserName
                    ? text("you")
                    : remark(file.owner, names[file.owner] ?? file.ownerName),
                  relative(file.at),
                ].join(" · ")}
              </span>
            </div>
            <Button
              type="text"
              className="header-icon"
              loading={saving === file.id}
              aria-label={chatText("download", { name: file.name })}
              icon={<IconDownload />}
              onClick={() => void save(file)}
            />
            {(file.owner === chatUserName || role !== "member") && (
              <Button
                type="text"
                className="header-icon"
                aria-label={text("fileRemove", { name: file.name })}
                icon={<IconDelete />}
                onClick={() =>
                  confirm(
                    text("fileRemove", { name: file.name }),
                    text("fileRemoveAsk", { name: file.name }),
                    () => core.commands.group.removeFile({ groupId, fileId: file.id }),
                  )
                }
              />
            )}
          </li>
        ))}
      </ul>
      <CloseButtons onClose={props.onClose}>
        <Button type="primary" onClick={() => chooser.current?.click()}>
          {text("fileShare")}
        </Button>
      </CloseButtons>
    </Dialog>
  );
}
