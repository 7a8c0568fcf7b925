/** Uploads chosen files by the queue of all tabs, and says what is refused and what fails (docs/session.md#upload-rules). */
import { useEffect, useRef, useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import type { UploadEntry } from "../../../shared/protocol/state.ts";
import { errorText } from "../../i18n/index.ts";
import { textOf } from "../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { isPending, pendingFile, pendingKey } from "./pending.ts";
import { checkOffered, saidText, UPLOAD_TEXTS, type UploadRules } from "./rules.ts";

/** What a field of files is given. */
export interface FilesProps {
  readonly label: string;
  /** Names of uploaded files, and uploads on their way (pending.ts). */
  readonly value: readonly string[];
  readonly rules: UploadRules;
  readonly onChange: (value: readonly string[]) => void;
  readonly disabled?: boolean;
  /** Id of a note about the field. */
  readonly describedBy?: string | undefined;
  /** Stores a file and answers its name. Left out: a file of the company. */
  readonly upload?: (file: File) => Promise<string>;
}

/** A file of the field that is on its way. */
export interface PendingFile {
  /** What the field's value has of it. */
  readonly value: string;
  readonly name: string;
  readonly percent: number;
}

export interface UploadField {
  readonly busy: boolean;
  readonly pending: readonly PendingFile[];
  readonly add: (files: readonly File[]) => Promise<void>;
  /** Takes a file out of the field, and ends its upload. */
  readonly remove: (one: string) => void;
}

const percentOf = ({ sent, size }: Pick<UploadEntry, "sent" | "size">): number =>
  Math.floor((100 * sent) / size);

/** @param stored follows each file, with the name under which it is stored and the one on this machine */
export function useUpload(
  { value, rules, onChange, upload }: FilesProps,
  stored?: (fileName: string, name: string) => void,
): UploadField {
  const core = useCore();
  const { uploads } = core.commands;
  const { ready, byKey } = useFrozenSlice("uploads");
  const [storing, setStoring] = useState(false);
  /** Uploads of this field that the queue has not shown yet. */
  const fresh = useRef(new Set<string>());
  const latest = useRef({ value, onChange });
  const over = useRef(new Set<string>());

  const complain = (error: unknown): void => {
    const { code } = AppError.from(error);
    const failed = code === "file.upload-failed" || code.startsWith("network.");
    const sentence = textOf(UPLOAD_TEXTS, rules.pictures ? "pictureFailed" : "fileFailed");
    showMessage("error", failed ? sentence : errorText(error));
  };
  /** The field has what came of the upload, so that the queue need not keep it. */
  const release = (key: string, report: () => void): void => {
    if (over.current.has(key)) return;
    over.current.add(key);
    uploads.cancel({ key }).catch(() => undefined);
    report();
  };
  const settled = (one: string): readonly string[] => {
    const key = pendingKey(one);
    if (key === null) return [one];
    const entry = byKey[key];
    // Somebody ended it, or it is none of this machine.
    if (entry === undefined) return ready && !fresh.current.has(key) ? [] : [one];
    const { state, error, fileName, name } = entry;
    if (state === "failed") {
      release(key, () => complain(error === null ? null : AppError.fromWire(error)));
      return [];
    }
    if (state !== "done" || fileName === null) return [one];
    release(key, () => stored?.(fileName, name));
    return [fileName];
  };
  // After each render: the value and the queue both change.
  useEffect(() => {
    latest.current = { value, onChange };
    for (const key of fresh.current) if (byKey[key] !== undefined) fresh.current.delete(key);
    if (!value.some(isPending)) return;
    const next = value.flatMap(settled);
    if (next.length === value.length && next.every((one, at) => one === value[at])) return;
    onChange(next);
    const arrived = next.some((one) => !value.includes(one));
    if (arrived && !next.some(isPending)) showMessage("success", textOf(UPLOAD_TEXTS, "done"));
  });

  const queue = async (files: readonly File[]): Promise<void> => {
    const begun = files.map((file) => ({ key: crypto.randomUUID(), file }));
    for (const { key } of begun) fresh.current.add(key);
    onChange([...value, ...begun.map(({ key }) => pendingFile(key))]);
    await Promise.all(
      begun.map(async ({ key, file }) => {
        try {
          await uploads.start({ key, file, name: file.name });
        } catch (error) {
          complain(error);
          fresh.current.delete(key);
          const left = latest.current.value.filter((one) => one !== pendingFile(key));
          latest.current.onChange(left);
        }
      }),
    );
  };
  const storeElsewhere = async (
    files: readonly File[],
    store: (file: File) => Promise<string>,
  ): Promise<void> => {
    setStoring(true);
    const names: string[] = [];
    try {
      for (const file of files) {
        const name = await store(file);
        stored?.(name, file.name);
        names.push(name);
      }
      showMessage("success", textOf(UPLOAD_TEXTS, "done"));
    } catch (error) {
      complain(error);
    } finally {
      setStoring(false);
      if (names.length > 0) onChange([...value, ...names]);
    }
  };

  return {
    busy: storing || value.some(isPending),
    pending: value.flatMap((one) => {
      const key = pendingKey(one);
      if (key === null) return [];
      const entry = byKey[key];
      return [
        entry === undefined
          ? { value: one, name: "…", percent: 0 }
          : { value: one, name: entry.name, percent: percentOf(entry) },
      ];
    }),
    async add(files) {
      const { taken, said } = checkOffered(files, value.length, rules);
      for (const one of said) showMessage("error", saidText(one));
      if (taken.length === 0) return;
      await (upload === undefined ? queue(taken) : storeElsewhere(taken, upload));
    },
    remove(one) {
      const key = pendingKey(one);
      if (key !== null) uploads.cancel({ key }).catch(() => undefined);
      onChange(value.filter((other) => other !== one));
    },
  };
}
