/** Uploads chosen files one after the other, and says what is refused and what fails (docs/session.md#upload-rules). */
import { useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { textOf } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { checkOffered, saidText, UPLOAD_TEXTS, type UploadRules } from "./rules.ts";

/** What a field of files is given. */
export interface FilesProps {
  readonly label: string;
  /** Names of uploaded files. */
  readonly value: readonly string[];
  readonly rules: UploadRules;
  readonly onChange: (value: readonly string[]) => void;
  readonly disabled?: boolean;
  /** Id of a note about the field. */
  readonly describedBy?: string | undefined;
  /** Stores a file and answers its name. Left out: a file of the company. */
  readonly upload?: (file: File) => Promise<string>;
}

/** @param stored follows each file, with the name under which it is stored */
export function useUpload(
  { value, rules, onChange, upload }: FilesProps,
  stored?: (fileName: string, file: File) => void,
): { readonly busy: boolean; readonly add: (files: readonly File[]) => Promise<void> } {
  const core = useCore();
  const [busy, setBusy] = useState(false);
  const store =
    upload ??
    (async (file: File): Promise<string> => {
      const key = crypto.randomUUID();
      const { fileName } = await core.commands.files.upload({ key, file, name: file.name });
      return fileName;
    });
  const add = async (files: readonly File[]): Promise<void> => {
    const { taken, said } = checkOffered(files, value.length, rules);
    for (const one of said) showMessage("error", saidText(one));
    if (taken.length === 0) return;
    setBusy(true);
    const names: string[] = [];
    try {
      for (const file of taken) {
        const name = await store(file);
        stored?.(name, file);
        names.push(name);
      }
      showMessage("success", textOf(UPLOAD_TEXTS, "done"));
    } catch (error) {
      const { code } = AppError.from(error);
      const failed = code === "file.upload-failed" || code.startsWith("network.");
      const sentence = textOf(UPLOAD_TEXTS, rules.pictures ? "pictureFailed" : "fileFailed");
      showMessage("error", failed ? sentence : errorText(error));
    } finally {
      setBusy(false);
      if (names.length > 0) onChange([...value, ...names]);
    }
  };
  return { busy, add };
}
