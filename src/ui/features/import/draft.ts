/**
 * The work on an import that was not sent (docs/import.md#drafts): the file, its columns and how far the person came, kept as a draft of a
 * form so that a reload goes on with it. The corrections are kept by the file's fingerprint (corrections.ts) and made again.
 */
import { z } from "../../../shared/zod.ts";
import { importModeSchema } from "../../../shared/protocol/import-model.ts";
import { mappingSchema, sourceSchema } from "../../../shared/protocol/import-worker.ts";
import type { KeptFiles } from "../../state/kept-files.ts";

const workSchema = z.object({
  source: sourceSchema,
  mode: importModeSchema,
  /** null while the columns are not known. */
  mapping: mappingSchema.nullable(),
  checked: z.boolean(),
});
export type ImportWork = z.infer<typeof workSchema>;

/** Characters. The tab's storage has room for some millions, and other drafts need it too. */
const LARGEST = 1_000_000;

export interface ImportDraft {
  /** @returns null when there is nothing to go on with, or the browser cannot read it now; the draft stays then */
  read(): Promise<{ readonly file: File; readonly work: ImportWork } | null>;
  /** Begins a draft with this file, in place of the one before. @returns false when the browser does not store it */
  begin(file: File): Promise<boolean>;
  /** @returns whether the work would be there again after a reload */
  keep(work: ImportWork): boolean;
  drop(): void;
}

export function createImportDraft(deps: {
  /** The draft of a form with these values. */
  readonly form: {
    read(): Readonly<Record<string, string>>;
    write(values: Readonly<Record<string, string>>): void;
  };
  readonly files: KeptFiles;
}): ImportDraft {
  const { form, files } = deps;
  /** Key of the file of this draft, once it is stored. */
  let fileKey: string | null = null;
  let turn = 0;

  const drop = (): void => {
    turn += 1;
    const key = fileKey ?? form.read()["file"];
    fileKey = null;
    form.write({});
    if (key !== undefined) void files.drop(key);
  };
  return {
    drop,
    async read() {
      const { file: key, work } = form.read();
      if (key === undefined || work === undefined) return null;
      const file = await files.read(key).catch(() => undefined);
      if (file === undefined) return null;
      const parsed = workSchema.safeParse(JSON.parse(work));
      if (file === null || !parsed.success) {
        drop();
        return null;
      }
      fileKey = key;
      return { file, work: parsed.data };
    },
    async begin(file) {
      drop();
      const thisTurn = turn;
      const key = await files.keep(file).catch(() => null);
      if (key === null) return false;
      if (turn !== thisTurn) {
        await files.drop(key);
        return false;
      }
      fileKey = key;
      return true;
    },
    keep(work) {
      const text = JSON.stringify(work);
      if (fileKey === null || text.length > LARGEST) return false;
      form.write({ file: fileKey, work: text });
      // a full storage keeps nothing
      return form.read()["work"] === text;
    },
  };
}
