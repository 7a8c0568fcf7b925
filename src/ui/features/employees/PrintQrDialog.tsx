/** Chooses whose QR codes are printed: of all open invitations, or of those of one import. */
import { useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import type { FormOption } from "../../components/form/kinds.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { INVITATION_TEXTS, isUsable } from "./invitation-texts.ts";
import { MOST_CODES, printedLink, type PrintedLink } from "./printed-link.ts";
import { QrSheet } from "./QrSheet.tsx";

/** Rows per request: the most that the call answers. */
const PAGE = 1000;
type Invitation = Row<"invitations.list">;

export function PrintQrDialog(props: {
  readonly imports: readonly FormOption[];
  /** The import that is chosen first; empty: all. */
  readonly importId: string;
  readonly nameOf: (row: Invitation) => string;
  readonly onClose: () => void;
}) {
  const { imports, nameOf, onClose } = props;
  const text = useTexts(INVITATION_TEXTS);
  const { rest } = useCore().commands;
  const [links, setLinks] = useState<readonly PrintedLink[] | null>(null);
  if (links !== null) return <QrSheet links={links} onEnd={onClose} />;
  const only = imports.length === 0 && props.importId !== "";
  return (
    <FormDialog
      title={text("printQr")}
      intro={<p>{text("printHint", { most: MOST_CODES })}</p>}
      okText={text("print")}
      fields={[
        {
          key: "importId",
          label: text("fromImport"),
          input: "select",
          options: imports,
          hint: text("allHint"),
          shownWhen: () => !only,
        },
      ]}
      values={{ importId: props.importId }}
      save={async ({ importId = props.importId }) => {
        const found: PrintedLink[] = [];
        for (let cursor = 1, total = 1; (cursor - 1) * PAGE < total; cursor += 1) {
          const query = { cursor, limit: PAGE, ...(importId === "" ? {} : { importId }) };
          const page = await rest.call({ call: "invitations.list", query });
          ({ total } = page);
          for (const row of page.records.filter(isUsable)) {
            found.push(printedLink(row, nameOf(row)));
          }
          if (found.length >= MOST_CODES) break;
        }
        if (found.length === 0) {
          throw new AppError("request.not-found", { message: text("printNone") });
        }
        setLinks(found.slice(0, MOST_CODES));
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
