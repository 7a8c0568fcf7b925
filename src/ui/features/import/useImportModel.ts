/** The wizard's model for as long as the page is shown (it is not cached). */
import { useEffect, useState } from "react";
import { type Snapshot, useSnapshot } from "valtio";
import { spawnImportWorker } from "../../../core-client/import-worker.ts";
import { draftKey, readFormDraft, writeFormDraft } from "../../state/form-drafts.ts";
import { keptFiles } from "../../state/kept-files.ts";
import { useCore } from "../../state/services.ts";
import { createImportDraft } from "./draft.ts";
import { createImportModel } from "./model.ts";
import type { ImportModel } from "./model-contracts.ts";
import type { ImportState } from "./model-state.ts";
import { createCorrectionStore } from "./corrections.ts";
import { remembered } from "./remembered.ts";

export type ImportView = Snapshot<ImportState>;

export function useImportModel(isInvite: boolean): ImportModel {
  const core = useCore();
  const [model] = useState(() => {
    const { accountId, supplierId } = core.state.session;
    const key = draftKey({ accountId, supplierId }, location.pathname, {});
    const form = {
      read: () => {
        const { file, work } = readFormDraft(key)?.changed ?? {};
        return {
          ...(typeof file === "string" ? { file } : {}),
          ...(typeof work === "string" ? { work } : {}),
        };
      },
      write: (values: Readonly<Record<string, string>>) =>
        writeFormDraft(key, { before: {}, changed: values }),
    };
    return createImportModel({
      core,
      spawn: () => spawnImportWorker(core),
      remembered,
      store: createCorrectionStore(() => Date.now()),
      draft: createImportDraft({ form, files: keptFiles() }),
      isInvite,
    });
  });
  useEffect(() => {
    model.restore();
    return () => model.dispose();
  }, [model]);
  return model;
}
export const useImportView = (model: ImportModel): ImportView => useSnapshot(model.state);
