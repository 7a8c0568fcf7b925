/** Links of invitations, to be given to people: one with its QR code, several as lines. */
import { Button, Input } from "@arco-design/web-react";
import { formatDate } from "../../../shared/domain/format.ts";
import { QrCode } from "../../components/QrCode.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import "./employees.css";

export interface ShownLinks {
  /** With several posts, each begins with what it is for. */
  readonly links: readonly string[];
  readonly expiresAt: string;
  /** How many people may join by each. */
  readonly uses: number;
}

export function InviteLinks({ links, expiresAt, uses }: ShownLinks) {
  const more = useTexts(DIALOG_TEXTS);
  const [only = ""] = links;
  return (
    <div className="employee-link">
      {links.length === 1 ? (
        <>
          <QrCode text={only} label={more("linkPicture")} />
          <Input readOnly value={only} aria-label={more("link")} />
        </>
      ) : (
        <Input.TextArea readOnly value={links.join("\n")} aria-label={more("link")} rows={8} />
      )}
      <p>{uses === 1 ? more("linkHint") : more("linkHintMany", { count: uses })}</p>
      <p>{more("expires", { time: formatDate(Date.parse(expiresAt)) })}</p>
      <div className="form-buttons">
        <Button
          type="primary"
          onClick={() =>
            void navigator.clipboard
              .writeText(links.join("\n"))
              .then(() => showMessage("success", more("copied")), showError)
          }
        >
          {more("copy")}
        </Button>
      </div>
    </div>
  );
}
