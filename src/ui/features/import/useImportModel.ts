/** The wizard's model for as long as the page is shown (it is not cached). */
import { useEffect, useState } from "react";
import { type Snapshot, useSnapshot } from "valtio";
import { spawnImportWorker } from "../../../core-client/import-worker.ts";
import { useCore } from "../../state/services.ts";
import { createImportModel, type ImportModel } from "./model.ts";
import type { ImportState } from "./model-state.ts";
import { createCorrectionStore } from "./corrections.ts";
import { remembered } from "./remembered.ts";

export type ImportView = Snapshot<ImportState>;

export function useImportModel(isInvite: boolean): ImportModel {
  const core = useCore();
  const [model] = useState(() =>
    createImportModel({
      core,
      spawn: spawnImportWorker,
      remembered,
      store: createCorrectionStore(() => Date.now()),
      isInvite,
    }),
  );
  useEffect(() => () => model.dispose(), [model]);
  return model;
}
export const useImportView = (model: ImportModel): ImportView => useSnapshot(model.state);
