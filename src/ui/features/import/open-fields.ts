/**
 * The company's fields while a file is open (docs/import.md#field-settings): those of when it was opened count until the person takes over
 * changed ones.
 */
import { ref } from "valtio/vanilla";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import { fieldChanges } from "./field-changes.ts";
import type { ImportState } from "./model-state.ts";

export interface OpenFields {
  /** Reads the company's fields again. @returns whether the file can be sent with those that it was opened with */
  look(): Promise<boolean>;
  /** The changed fields count from now on. The person sees the columns with them. */
  adopt(): void;
  /** The company as it is now, with the fields that the file was opened with. */
  kept(now: ImportContext): ImportContext;
}

export function createOpenFields(
  state: ImportState,
  read: () => Promise<ImportContext>,
): OpenFields {
  return {
    async look() {
      const was = state.context;
      if (was === null) return true;
      const now = await read();
      // another file was opened meanwhile
      if (state.context !== was) return false;
      const changes = fieldChanges(was, now, state.mapping);
      state.newer = changes === null ? null : ref(now);
      return changes?.mustAdopt !== true;
    },
    adopt() {
      const { newer } = state;
      if (newer === null) return;
      Object.assign(state, { context: newer, newer: null, step: "map", error: null });
    },
    kept(now) {
      const was = state.context;
      return was === null ? now : { ...now, ownFields: was.ownFields, fields: was.fields };
    },
  };
}
