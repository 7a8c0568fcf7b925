/** What files and what needs them are called in texts. */
import type { StoredFileRow } from "../../../shared/protocol/rest/stored-files.ts";
import { useTexts } from "../../i18n/texts.ts";
import { STORED_FILE_TEXTS } from "./texts.ts";

export function useFileLabels() {
  const text = useTexts(STORED_FILE_TEXTS);
  const ofUse = ({ kind, title }: StoredFileRow["uses"][number]): string =>
    title === "" ? text(kind) : text("useOf", { kind: text(kind), title });
  return {
    ofUse,
    ofUses: (uses: StoredFileRow["uses"]): string =>
      uses.length === 0 ? text("unused") : uses.map(ofUse).join("、"),
    /** Of a row in questions, and for screen readers. */
    ofFile: ({ originalName }: Pick<StoredFileRow, "originalName">): string =>
      originalName === "" ? text("confidential") : originalName,
  };
}
