/** The QR codes of several invitations on paper, in a grid with names. It stands beside the console while the browser prints. */
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import "../../components/list/print-sheet.css";
import { QrCode } from "../../components/QrCode.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { INVITATION_TEXTS } from "./invitation-texts.ts";
import type { PrintedLink } from "./printed-link.ts";
import "./qr-sheet.css";

export function QrSheet(props: {
  readonly links: readonly PrintedLink[];
  readonly onEnd: () => void;
}) {
  const { links, onEnd } = props;
  const text = useTexts(INVITATION_TEXTS);
  const { supplierName } = useSlice("session");
  useEffect(() => {
    addEventListener("afterprint", onEnd);
    // a turn later, so that the effect that React repeats in development prints once
    const timer = setTimeout(() => print());
    return () => {
      clearTimeout(timer);
      removeEventListener("afterprint", onEnd);
    };
  }, [onEnd]);
  return createPortal(
    <section className="print-sheet qr-sheet">
      <h1>{text("scan", { company: supplierName })}</h1>
      <ul>
        {links.map(({ id, name, note, link, expiresAt }) => (
          <li key={id}>
            <QrCode text={new URL(link, location.origin).href} label={name} size={150} />
            <strong>{name}</strong>
            {note !== "" && <span>{note}</span>}
            <span>
              {text("expiresAt")} {formatDate(Date.parse(expiresAt))}
            </span>
          </li>
        ))}
      </ul>
    </section>,
    document.body,
  );
}
