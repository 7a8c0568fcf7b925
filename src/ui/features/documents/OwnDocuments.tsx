/** 我的入职材料 in the person's own page: what the company asks for, and what was handed in. */
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { DocumentsPane } from "./DocumentsPane.tsx";
import { DOCUMENT_TEXTS } from "./texts.ts";

export default function OwnDocuments() {
  const text = useTexts(DOCUMENT_TEXTS);
  const { supplierId } = useSlice("session");
  if (supplierId === null) return null;
  return (
    <section className="panel profile-panel" aria-labelledby="own-documents">
      <h2 id="own-documents">{text("own")}</h2>
      <DocumentsPane employeeId={null} />
    </section>
  );
}
