/** The browser's own choice of files, which a button of the page opens. */
import type { RefObject } from "react";
import type { UploadRules } from "./rules.ts";

export function FileChooser(props: {
  /** Its `click` opens the choice. */
  readonly input: RefObject<HTMLInputElement | null>;
  readonly rules: UploadRules;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const { input, rules, onFiles } = props;
  return (
    <input
      ref={input}
      type="file"
      hidden
      multiple={rules.files > 1}
      accept={rules.types.map((type) => `.${type}`).join()}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // so that the same file can be chosen again
        event.target.value = "";
      }}
    />
  );
}
