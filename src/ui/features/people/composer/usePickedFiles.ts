/** Files that are about to be sent to one person: chosen, pasted or dropped, looked at, and then handed to the core. */
import { useCallback, useState } from "react";
import { CHAT_FILE_MAX, fileSize } from "../../../../shared/domain/chat-files.ts";
import { textOf } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { PICK_MAX, pickFiles, type PickedFile } from "./pick-files.ts";

export interface PickedFiles {
  readonly files: readonly PickedFile[];
  /** The files are handed to the core now. */
  readonly busy: boolean;
  add(files: readonly File[]): void;
  remove(key: string): void;
  clear(): void;
  send(): Promise<void>;
}

export function usePickedFiles(chatId: string): PickedFiles {
  const core = useCore();
  const [files, setFiles] = useState<readonly PickedFile[]>([]);
  const [busy, setBusy] = useState(false);

  const add = useCallback((given: readonly File[]) => {
    void pickFiles(given.slice(0, PICK_MAX)).then(({ picked, refused }) => {
      for (const { name, why } of refused) {
        const values = { name, size: fileSize(CHAT_FILE_MAX) };
        const said =
          why === "empty"
            ? textOf(CHAT_TEXTS, "empty", values)
            : textOf(CHAT_TEXTS, "tooLarge", values);
        showMessage("warning", said);
      }
      setFiles((now) => [...now, ...picked].slice(0, PICK_MAX));
    });
    if (given.length > PICK_MAX)
      showMessage("warning", textOf(CHAT_TEXTS, "tooMany", { count: PICK_MAX }));
  }, []);

  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      for (const picked of files) {
        await core.commands.chat.sendFile({ chatId, ...picked });
        setFiles((now) => now.filter(({ key }) => key !== picked.key));
      }
    } catch (error) {
      // what is left stays in the dialog; a repeated try makes no second message
      showError(error);
    } finally {
      setBusy(false);
    }
  };

  return {
    files,
    busy,
    add,
    remove: (key) => setFiles((now) => now.filter((one) => one.key !== key)),
    clear: () => setFiles([]),
    send,
  };
}
