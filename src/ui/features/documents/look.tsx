/** How an inaugural document looks: its state, and its files as buttons that save them. */
import { Button } from "@arco-design/web-react";
import type { DocumentState, InauguralDocument } from "../../../shared/protocol/rest/documents.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useDownloads } from "../../state/services.ts";
import { DOCUMENT_TEXTS } from "./texts.ts";

const KINDS: Readonly<Record<DocumentState, string>> = {
  missing: "warning",
  handed: "primary",
  accepted: "success",
  refused: "danger",
  expired: "danger",
};

export function DocumentTag({ status }: { readonly status: DocumentState }) {
  const text = useTexts(DOCUMENT_TEXTS);
  return <DictTag label={text(status)} listClass={KINDS[status]} />;
}

export function DocumentFiles({ files }: Pick<InauguralDocument, "files">) {
  const text = useTexts(DOCUMENT_TEXTS);
  const downloads = useDownloads();
  return (
    <span className="document-files">
      {files.map(({ fileName, originalName }) => (
        <Button
          key={fileName}
          type="text"
          size="mini"
          aria-label={text("open", { name: originalName })}
          onClick={() => void downloads.save(originalName, { kind: "file", fileName })}
        >
          <span className="ellipsis" translate="no">
            {originalName}
          </span>
        </Button>
      ))}
    </span>
  );
}
