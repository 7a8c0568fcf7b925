/** The invitations of a job, with what became of each, and the ways to their list and to paper. */
import { Button } from "@arco-design/web-react";
import { lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import type { ImportInvitationState } from "../../../shared/protocol/rest/invitations.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import { INVITATION_KINDS, INVITATION_TEXTS } from "../employees/invitation-texts.ts";
import { Paged, usePaging } from "./Paged.tsx";
import { Part } from "../../components/Part.tsx";

const PrintQrDialog = lazy(() =>
  retrying(() => import("../employees/PrintQrDialog.tsx")).then((m) => ({
    default: m.PrintQrDialog,
  })),
);

/** The colours of what became of an invitation. */
const KINDS: Readonly<Record<ImportInvitationState, string>> = {
  ...INVITATION_KINDS,
  invited: "success",
  noNumber: "warning",
  bound: "primary",
};

export function InvitationList({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const text = useTexts(INVITATION_TEXTS);
  const may = useMay();
  const navigate = useNavigate();
  const [printing, setPrinting] = useState(false);
  const copy = (link: string): void => {
    navigator.clipboard
      .writeText(new URL(link, location.origin).href)
      .then(() => showMessage("success", t("imports.send.copied")), showError);
  };
  const paging = usePaging();
  const { answer, again } = useRead(
    { call: "imports.invitations", params: { id: jobId }, query: paging.query },
    true,
  );
  return (
    <>
      {may("invitations.list") && (
        <div className="import-actions">
          <Button onClick={() => void navigate(`/supplier/invitations?importId=${jobId}`)}>
            {text("inRecords")}
          </Button>
          <Button onClick={() => setPrinting(true)}>{text("printQr")}</Button>
        </div>
      )}
      <Paged
        answer={answer}
        onRetry={again}
        paging={paging}
        heads={[
          t("imports.send.invitee"),
          text("status"),
          t("imports.send.expires"),
          t("imports.send.link"),
        ]}
        renderRow={(one) => (
          <tr key={one.employeeId}>
            <td>{one.name}</td>
            <td>
              <DictTag label={text(one.state)} listClass={KINDS[one.state]} />{" "}
              {one.reason === "" ? null : one.reason}
            </td>
            <td className="tnum">{formatDate(Date.parse(one.expiresAt))}</td>
            <td>
              <Button
                size="mini"
                aria-label={`${t("imports.send.copy")} ${one.name}`}
                onClick={() => copy(one.link)}
              >
                {t("imports.send.copy")}
              </Button>
            </td>
          </tr>
        )}
      />
      <Part onFailed={() => setPrinting(false)}>
        {printing && (
          <PrintQrDialog
            imports={[]}
            importId={jobId}
            nameOf={({ employee }) => employee?.name ?? ""}
            onClose={() => setPrinting(false)}
          />
        )}
      </Part>
    </>
  );
}
