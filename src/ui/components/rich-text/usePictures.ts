/** Uploads pictures for the editor: by button, paste or drop. A failure shows its reason. */
import { useState } from "react";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { AppError } from "../../../shared/errors.ts";
import { checkOffered, PICTURE_RULES, saidText } from "../upload/rules.ts";
import { uploaded } from "../upload/uploaded.ts";
import { RICH_TEXTS } from "./texts.ts";

export interface PictureUpload {
  readonly key: string;
  readonly name: string;
  readonly percent: number;
}

/** A pasted picture has a name of the browser's, or none. */
const nameOf = ({ name, type }: File): string =>
  /\.\w+$/.test(name) ? name : `${name || "picture"}.${type === "image/png" ? "png" : "jpg"}`;

export function usePictures(insert: (fileName: string, alt: string) => void): {
  readonly uploads: readonly PictureUpload[];
  upload(files: readonly File[]): void;
  cancel(key: string): void;
} {
  const core = useCore();
  const text = useTexts(RICH_TEXTS);
  const [ownPictures, setOwnPictures] = useState<readonly string[]>([]);
  const { byKey } = useSlice("uploads");
  const upload = async (file: File): Promise<void> => {
    const key = crypto.randomUUID();
    const name = nameOf(file);
    setOwnPictures((keys) => [...keys, key]);
    try {
      // What is inserted where is known to this tab alone.
      await core.commands.uploads.start({ key, file, name, survives: false });
      insert(await uploaded(core, key), name.replace(/\.\w+$/, ""));
    } catch (error) {
      if (AppError.from(error).code !== "request.cancelled") {
        showMessage("error", text("insertFailed", { name, reason: errorText(error) }));
      }
    } finally {
      setOwnPictures((keys) => keys.filter((other) => other !== key));
    }
  };
  return {
    uploads: Object.entries(byKey).flatMap(([key, { name, sent, size }]) =>
      ownPictures.includes(key) ? [{ key, name, percent: Math.floor((100 * sent) / size) }] : [],
    ),
    upload(files) {
      // A text has as many pictures as it likes; five are uploaded at once.
      const { taken, said } = checkOffered(files, 0, PICTURE_RULES);
      for (const one of said) showMessage("error", saidText(one));
      for (const file of taken) void upload(file);
    },
    cancel: (key) => void core.commands.uploads.cancel({ key }).catch(() => undefined),
  };
}
